import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';

// Swagger UI has a dark side, and leaves it to the page to choose.
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

SwaggerUIBundle({
  domNode: document.querySelector('#reference'),
  url: '/openapi.json',
  // By default a server of Swagger's is asked whether the document is valid.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
});
