import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import { showAccount } from './account.js';
import { ANSWERS, REDIRECT_PATH } from './docs-sign-in.js';
import { optionalFieldsEmpty } from './docs-parameters.js';
import { searched } from './docs-search.js';
import { credentialHeader } from './session.js';

// Swagger UI has a dark mode, and the page has to choose it.
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

const isOld = new URLSearchParams(location.search).get('version') === '1';
document
  .querySelector(`#versions li:${isOld ? 'last' : 'first'}-child a`)
  ?.setAttribute('aria-current', 'true');
showAccount((text) => {
  const said = document.querySelector('#said');
  if (said) said.textContent = text;
});

const ui = SwaggerUIBundle({
  domNode: document.querySelector('#reference'),
  url: isOld ? '/openapi/v1.json' : '/openapi/v2.json',
  // By default, Swagger UI asks a server of Swagger whether the document is valid.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  oauth2RedirectUrl: location.origin + REDIRECT_PATH,
  filter: true,
  // An operation is executed with the credential of the session, unless the visitor has entered another credential.
  requestInterceptor: async (request) => {
    const { origin, pathname } = new URL(request.url, location.href);
    // The authorization server expects the credential of the client, and refuses a second credential.
    const isOurs = origin === location.origin && !pathname.startsWith('/oauth/');
    const isEntered = Object.keys(request.headers).some((name) => /^(authorization|x-api-key)$/i.test(name));
    if (isOurs && !isEntered && !request.loadSpec) Object.assign(request.headers, await credentialHeader());
    return request;
  },
  plugins: [
    searched,
    optionalFieldsEmpty,
    ({ React }) => ({
      components: {
        // Swagger UI puts a link into the button that opens an operation. The button alone changes the address too, so
        // the text replaces the link.
        DeepLink: ({ text }) => React.createElement('span', null, text),
      },
      wrapComponents: {
        // The general description fills several screens, but visitors look for an operation. So the description is
        // closed at first.
        InfoContainer: (Original) => (props) =>
          React.createElement(
            'details',
            { className: 'about' },
            React.createElement(
              'summary',
              null,
              'All rules of the interface: versions, formats, errors, limits',
            ),
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
  // An answer with a `state` that this page did not send is for another tab.
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
