import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import { ANSWERS, REDIRECT_PATH } from './docs-sign-in.js';

// Swagger UI has a dark mode, and the page has to choose it.
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

const ui = SwaggerUIBundle({
  domNode: document.querySelector('#reference'),
  url: '/openapi.json',
  // By default, Swagger UI asks a server of Swagger whether the document is valid.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  oauth2RedirectUrl: location.origin + REDIRECT_PATH,
  plugins: [
    ({ React }) => ({
      wrapComponents: {
        // The general description fills several screens, but visitors look for an operation, so it is closed at first.
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
// PKCE (RFC 7636) is necessary, because a program in a browser cannot keep a secret.
ui.initOAuth({ usePkceWithAuthorizationCodeGrant: true });

// The window of the sign-in has no opener (Cross-Origin-Opener-Policy). So it sends the answer through this
// channel.
new BroadcastChannel(ANSWERS).addEventListener('message', ({ data }: MessageEvent<string>) => {
  const asked = window.swaggerUIRedirectOauth2;
  const answer = new URLSearchParams(data);
  // Another tab has asked for this answer.
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
