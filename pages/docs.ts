import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import { ANSWERS, REDIRECT_PATH } from './docs-sign-in.js';

// Swagger UI has a dark side, and leaves it to the page to choose.
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

const ui = SwaggerUIBundle({
  domNode: document.querySelector('#reference'),
  url: '/openapi.json',
  // By default a server of Swagger's is asked whether the document is valid.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  oauth2RedirectUrl: location.origin + REDIRECT_PATH,
  plugins: [
    ({ React }) => ({
      wrapComponents: {
        // The rules that hold for all operations fill several screens, and people come for an operation.
        InfoContainer: (Original) => (props) =>
          React.createElement(
            'details',
            { className: 'about' },
            React.createElement('summary', null, 'About this interface: versions, formats, errors, limits'),
            React.createElement(Original, props),
          ),
      },
    }),
  ],
});
// RFC 7636: a program in a browser can keep no secret.
ui.initOAuth({ usePkceWithAuthorizationCodeGrant: true });

// The window of the sign-in is cut off from its opener (Cross-Origin-Opener-Policy), so the answer comes this way.
new BroadcastChannel(ANSWERS).addEventListener('message', ({ data }: MessageEvent<string>) => {
  const asked = window.swaggerUIRedirectOauth2;
  const answer = new URLSearchParams(data);
  // Another tab asked for it.
  if (!asked || answer.get('state') !== asked.state) return;
  const { auth, redirectUrl } = asked;
  const code = answer.get('code');
  if (code !== null) {
    delete auth.state;
    auth.code = code;
    asked.callback({ auth, redirectUrl });
    return;
  }
  const message = [answer.get('error'), answer.get('error_description')].filter(Boolean).join(': ');
  asked.errCb({ authId: auth.name, source: 'auth', level: 'error', message });
});
