import type { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import {
  errors,
  interactionPolicy,
  Provider,
  type Configuration,
  type Grant,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { hashOf, sameHash } from '../accounts/api-key.js';
import { subjectOf, userIdIn } from '../tokens/subject.js';
import { SCOPES } from '../../generated/operations.js';
import type { UsersRepository } from '../users/users.repository.js';
import { REVOCATION_MARK, type Revocations } from '../tokens/revocations.js';
import { adapterOn } from './adapter.js';
import type { ArtifactsRepository, Payload } from './artifacts.repository.js';
import type { ClientsRepository } from './clients.repository.js';
import { BESIDES_SCOPES } from '../accounts/lending.js';
import { PAGES_CLIENT_ID, PAGES_SCOPES } from './pages-client.js';
import { errorPage, POLICY, signedOutPage, signOutPage } from './pages.js';
import { ROUTES } from './routes.js';

export interface ProviderParts {
  readonly issuer: string;
  /** The audience of JWTs. */
  readonly audience: string;
  readonly tokenTtlSeconds: number;
  /** The first key signs; the others only verify. */
  readonly keys: readonly JWK[];
  readonly cookieKey: string;
  readonly artifacts: ArtifactsRepository;
  readonly clients: ClientsRepository;
  readonly users: UsersRepository;
  readonly revocations: Revocations;
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/**
 * The lifetimes, in seconds. Each use of a refresh token begins the lifetime of the token again, but not beyond the end
 * of the grant.
 */
const LIVES = {
  AuthorizationCode: MINUTE,
  Interaction: 30 * MINUTE,
  Session: DAY,
  RefreshToken: 14 * DAY,
  Grant: 90 * DAY,
};

/**
 * The longest time from a sign-in to the end of its session, in seconds. Each use begins the lifetime of the session
 * again, but not beyond this time.
 */
const LONGEST_SESSION = 30 * DAY;

/**
 * The name of a member of `ctx.state`. The member is a promise. It resolves to the value of `REVOCATION_MARK` for the
 * token that the request issues.
 */
const MARK = 'revocationMark';

const logger = new Logger('OAuth');

/** Sets up the library for this store. This file and its imports are loaded by the first request that needs them. */
export function createProvider(parts: ProviderParts): Provider {
  const provider = new Provider(parts.issuer, configurationOf(parts));
  const { protocol, host } = new URL(parts.issuer);
  // The configured address of the service decides where users are sent, and whether cookies are limited to https. A
  // request cannot change this address.
  provider.use(async (ctx, next) => {
    Object.defineProperties(ctx.request, {
      protocol: { value: protocol.slice(0, -1) },
      host: { value: host },
    });
    // A revocation during the request must end the token. So the mark is read before the data that a revocation could
    // end.
    if (ctx.path === ROUTES.token) {
      const mark = parts.revocations.mark();
      await mark.catch(() => undefined);
      ctx.state[MARK] = mark;
    }
    await next();
  });
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: { clientSecret?: string }, given: string): boolean {
      const hashes = this.clientSecret?.split(' ') ?? [];
      return hashes.some((hash) => sameHash(hash, hashOf(given)));
    },
    // The URI must be equal to a registered URI. For an address of the same machine, the library would accept any port.
    redirectUriAllowed(this: { redirectUris: readonly string[] }, uri: string): boolean {
      return this.redirectUris.includes(uri);
    },
  });
  for (const { prototype } of [provider.AuthorizationCode, provider.RefreshToken]) {
    const consume: (this: object) => Promise<void> = Reflect.get(prototype, 'consume');
    prototype.consume = async function (this: typeof prototype) {
      await requireTarget(this, parts.audience);
      await consume.call(this);
    };
  }
  provider.on('server_error', (_ctx, error) => logger.error(error));
  // Koa emits this event. The types of the library do not declare it.
  const emitter: EventEmitter = provider;
  emitter.on('error', (error) => logger.error(error));
  return provider;
}

function configurationOf(parts: ProviderParts): Configuration {
  const { issuer, audience, tokenTtlSeconds, keys, cookieKey, artifacts, clients, users } = parts;
  const isSecure = issuer.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure, signed: true } as const;
  return {
    adapter: adapterOn(artifacts, clients, issuer),
    jwks: { keys: [...keys] },
    scopes: [...SCOPES, ...BESIDES_SCOPES],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    extraClientMetadata: { properties: ['may_introspect'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    claims: { openid: ['sub'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    // `refuseForeign` in `oauth-routes.ts` has already refused the pages of other origins. The library must not decide
    // again, because it does not know the addresses of this service. It does not ask if `STORE_CORS_ORIGINS` names the
    // origin.
    clientBasedCORS: () => true,
    clockTolerance: 5,
    formats: {
      customizers: {
        // The time of issue (`iat`) is exact to the millisecond.
        jwt: async ({ state }, _token, { payload }) => {
          Object.assign(payload, { iat: Date.now() / 1000, [REVOCATION_MARK]: await state[MARK] });
        },
      },
    },
    rotateRefreshToken: true,
    extraTokenClaims: (ctx, token) => {
      if (token.kind === 'ClientCredentials') requireScopes(ctx, token.scopes);
      return undefined;
    },
    loadExistingGrant: grantOf,
    ttl: {
      ...LIVES,
      Session: (_ctx, session) => lifeOf(session),
      AccessToken: tokenTtlSeconds,
      ClientCredentials: tokenTtlSeconds,
      IdToken: tokenTtlSeconds,
    },
    cookies: {
      keys: [cookieKey],
      names: {
        session: isSecure ? '__Host-store_session' : 'store_session',
        interaction: isSecure ? '__Secure-store_interaction' : 'store_interaction',
        resume: isSecure ? '__Secure-store_resume' : 'store_resume',
      },
      long: { ...cookie, path: '/' },
      short: cookie,
    },
    routes: ROUTES,
    interactions: {
      policy: interactions(),
      url: (_ctx, { uid }) => `${new URL(issuer).pathname}/interaction/${uid}`,
    },
    findAccount: async (_ctx, subject) => {
      const id = userIdIn(subject);
      const user = id === null ? null : await users.find(id);
      return user
        ? { accountId: subjectOf(user.id), claims: () => Promise.resolve({ sub: subject }) }
        : undefined;
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client) => client['may_introspect'] === true,
      },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== audience) throw new errors.InvalidTarget();
          return {
            audience,
            scope: SCOPES.join(' '),
            accessTokenTTL: tokenTtlSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.set('content-security-policy', POLICY);
          ctx.body = signOutPage(form);
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.set('content-security-policy', POLICY);
          ctx.body = signedOutPage();
        },
      },
    },
    renderError: (ctx, { error_description: description }) => {
      ctx.type = 'html';
      ctx.set('content-security-policy', POLICY);
      ctx.body = errorPage(description ?? 'The request cannot be answered.');
    },
  };
}

/**
 * Requires that a code or a refresh token can give an access token for the resource of the request. The library checks
 * the resource only after the code or the token is used up, so the client would get nothing and could not try again.
 */
async function requireTarget(
  source: { readonly resource?: unknown; readonly resourceIndicators: ReadonlySet<unknown> },
  audience: string,
): Promise<void> {
  const { ctx } = Provider;
  const target = ctx?.oidc.params?.['resource'] || source.resource;
  if (target === undefined || (Array.isArray(target) && target.length === 0)) return;
  if (target !== audience || !source.resourceIndicators.has(audience)) throw new errors.InvalidTarget();
  // The access token will be a JWT, which cannot be made without the mark.
  await ctx?.state[MARK];
}

/**
 * Requires that a client gets for itself all the scopes that it asked for, and only scopes of the API. The library
 * would leave out unknown scopes, and `openid` is not a scope of the API. It calls this before it stores the token.
 */
function requireScopes({ oidc }: KoaContextWithOIDC, given: ReadonlySet<string>): void {
  // The library has already removed unknown scopes from `oidc.params`. An empty parameter is the same as none.
  const { scope } = oidc.body ?? {};
  const asked = typeof scope === 'string' && scope !== '' ? scope.split(' ') : [];
  const unknown = asked.filter((name) => !given.has(name) || BESIDES_SCOPES.includes(name));
  if (unknown.length > 0) {
    throw new errors.InvalidScope('a client cannot get these scopes for itself', unknown.join(' '));
  }
}

/** The lifetime of a session from now on, in seconds: a whole number above 0. */
function lifeOf({ accountId, loginTs }: Partial<Pick<Payload, 'accountId' | 'loginTs'>>): number {
  // A session without a user is needed only until the visitor sends the form to sign out.
  if (accountId === undefined || loginTs === undefined) return LIVES.Interaction;
  const left = Math.floor(loginTs + LONGEST_SESSION - Date.now() / 1000);
  return Math.max(1, Math.min(LIVES.Session, left));
}

/**
 * The grant of the user for a client. Our own pages need no consent, because they are the service itself. They get a
 * grant with their first authorization request of each session.
 */
async function grantOf({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { client, session, result, provider } = oidc;
  if (!client || !session) return undefined;
  const id = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
  const known = id === undefined ? undefined : await provider.Grant.find(id);
  if (known || client.clientId !== PAGES_CLIENT_ID) return known;
  const grant = new provider.Grant({
    clientId: client.clientId,
    ...(session.accountId !== undefined && { accountId: session.accountId }),
  });
  grant.addOIDCScope(['openid', ...PAGES_SCOPES].join(' '));
  await grant.save();
  return grant;
}

/**
 * The rules of the library for the sign-in and the consent of a user, with one change. The library asks for consent
 * each time if the client is an app. Instead, this service asks each time if the client is public, because a public
 * client has no secret to prove its identity with (RFC 8252, section 8.6). Our own pages are the exception: their
 * redirect URI is an address of this service, which proves who they are.
 */
function interactions(): ReturnType<typeof interactionPolicy.base> {
  const policy = interactionPolicy.base();
  const { checks } = policy.get('consent') ?? {};
  checks?.remove('native_client_prompt');
  checks?.add(
    new interactionPolicy.Check('public_client', 'public clients need consent each time', (ctx) => {
      const { client, result } = ctx.oidc;
      return (
        client?.clientAuthMethod === 'none' &&
        client.clientId !== PAGES_CLIENT_ID &&
        result?.consent === undefined
      );
    }),
  );
  return policy;
}
