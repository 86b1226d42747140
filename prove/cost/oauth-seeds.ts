import type { Message, Pair } from './message.ts';
import { CALLBACK, type SignIn } from './world.ts';

const AUTHORIZATION: readonly Pair[] = [
  ['response_type', 'code'],
  ['client_id', '{{client_id}}'],
  ['redirect_uri', CALLBACK],
  ['scope', 'openid offline_access'],
  ['state', 'a'],
  ['nonce', 'a'],
  ['code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  ['code_challenge_method', 'S256'],
  ['prompt', 'consent'],
  ['claims', '{"id_token":{"a":null}}'],
  ['ui_locales', 'de en'],
  ['max_age', '10'],
  ['resource', 'https://a.example'],
  ['login_hint', 'a@b.example'],
  ['request', 'a.b.c'],
  ['id_token_hint', 'a.b.c'],
];

const CLIENT: readonly Pair[] = [
  ['client_id', '{{client_id}}'],
  ['client_secret', '{{client_secret}}'],
];

const FORMS: readonly (readonly [string, readonly Pair[]])[] = [
  ['/oauth/token', [['grant_type', 'client_credentials'], ['scope', 'orders:read products:read']]],
  ['/oauth/token', [['grant_type', 'client_credentials'], ['resource', 'https://a.example'], ['scope', 'orders:read']]],
  ['/oauth/token', [['grant_type', 'authorization_code'], ['code', 'a'], ['code_verifier', 'a'.repeat(43)], ['redirect_uri', CALLBACK]]],
  ['/oauth/token', [['grant_type', 'refresh_token'], ['refresh_token', 'a.b'], ['scope', 'openid']]],
  ['/oauth/token/introspection', [['token', '{{token}}'], ['token_type_hint', 'access_token']]],
  ['/oauth/token/introspection', [['token', 'a.b.c']]],
  ['/oauth/token/revocation', [['token', 'a.b.c'], ['token_type_hint', 'refresh_token']]],
]; // prettier-ignore

/** The forms and addresses of the authorization server. */
export function oauthSeeds({ path, cookie, email }: SignIn): readonly Message[] {
  const base = { door: 'OAuth', query: [], headers: [], body: null } as const;
  const own: readonly Pair[] = [
    ['cookie', cookie],
    ['origin', 'http://store.example'],
    ['sec-fetch-site', 'same-origin'],
  ];
  const signIn: readonly Pair[] = [
    ['email', email],
    ['password', 'not the right one'],
    ['decision', 'allow'],
  ];
  const begun: Message = {
    ...base,
    about: 'authorization',
    method: 'GET',
    path: '/oauth/auth',
    query: AUTHORIZATION,
  };
  return [
    ...FORMS.flatMap(([to, pairs]): readonly Message[] => [
      { ...base, about: to, method: 'POST', path: to, body: { kind: 'form', pairs: [...CLIENT, ...pairs] } },
      {
        ...base,
        about: to,
        method: 'POST',
        path: to,
        headers: [['authorization', 'Basic {{client}}']],
        body: { kind: 'form', pairs },
      },
    ]),
    begun,
    { ...begun, query: AUTHORIZATION.slice(0, 8) },
    { ...base, about: 'sign-in page', method: 'GET', path, headers: own },
    { ...base, about: 'sign-in', method: 'POST', path, headers: own, body: { kind: 'form', pairs: signIn } },
    {
      ...base,
      about: 'end of session',
      method: 'GET',
      path: '/oauth/session/end',
      query: [
        ['id_token_hint', 'a.b.c'],
        ['post_logout_redirect_uri', CALLBACK],
        ['client_id', '{{client_id}}'],
      ],
    },
    {
      ...base,
      about: 'end of session, confirmed',
      method: 'POST',
      path: '/oauth/session/end/confirm',
      headers: own,
      body: {
        kind: 'form',
        pairs: [
          ['xsrf', 'a'],
          ['logout', 'yes'],
        ],
      },
    },
    { ...base, about: 'resumed', method: 'GET', path: '/oauth/auth/a', headers: own },
  ];
}
