import type { IncomingMessage } from 'node:http';
import { errors, Provider, type Adapter, type KoaContextWithOIDC } from 'oidc-provider';
import type { ArtifactsRepository } from './artifacts.repository.js';
import { listOf, type Client, type GrantType } from './client.entity.js';
import { isNative } from './client-rules.js';
import type { Subject } from '../../engine/rate-limits/rate-limits.js';
import type { ClientsRepository } from './clients.repository.js';
import { PAGES_CLIENT_ID, pagesClient } from './pages-client.js';
import { BESIDES_SCOPES } from '../accounts/lending.js';

/** A request, with the members that the service adds for the library and for this adapter. */
export interface HandedOver extends IncomingMessage {
  originalUrl?: string;
  /** The subject that the request was counted for. */
  sender?: Subject;
}

/**
 * Keeps the data of oidc-provider, the library behind `/oauth`, in our database. This file imports the library, which
 * is large. So only `provider.ts` may import this file, and `provider.ts` is loaded by the first request that needs the
 * library.
 */
export function adapterOn(
  artifacts: ArtifactsRepository,
  clients: ClientsRepository,
  issuer: string,
): (model: string) => Adapter {
  return (model) =>
    model === 'Client' ? clientsAdapter(clients, issuer) : artifactsAdapter(model, artifacts);
}

function artifactsAdapter(model: string, artifacts: ArtifactsRepository): Adapter {
  return {
    find: (id) => artifacts.find(model, id),
    findByUid: (uid) => artifacts.findByUid(model, uid),
    findByUserCode: () => Promise.resolve(undefined),
    upsert: async (id, payload, expiresIn) => {
      const accountId = payload.accountId ?? payload.result?.login?.accountId ?? payload.session?.accountId;
      const loginTs = payload.loginTs ?? payload.result?.login?.ts;
      const { ctx } = Provider;
      const request: HandedOver | undefined = ctx?.req;
      const formerId = model === 'Session' ? sessionIn(ctx)?.oldId : undefined;
      const full = { ...payload, accountId, loginTs };
      const stored = await artifacts.store(model, id, full, expiresIn, { sender: request?.sender, formerId });
      if (stored) return;
      if (model === 'Session' && ctx) throw sessionHasEnded(ctx);
      throw new errors.InvalidGrant('the user, the sign-in or the grant of this token no longer exists');
    },
    consume: async (id) => {
      if (!(await artifacts.consume(model, id)))
        throw new errors.InvalidGrant('the code or the refresh token was already used');
    },
    destroy: (id) => (model === 'Session' ? endSession(artifacts, id) : artifacts.destroy(model, id)),
    revokeByGrantId: (grantId) => artifacts.revokeByGrant(grantId),
  };
}

/** The session of a request, with the members that the types of the library do not declare. */
interface LoadedSession {
  readonly uid: string;
  /** The former identifier, if the request gives a new one to the session. */
  readonly oldId?: string;
  destroyed?: boolean;
}

function sessionIn(ctx: KoaContextWithOIDC | undefined): LoadedSession | undefined {
  return ctx?.oidc.session;
}

/**
 * The library ends a session when the user signs out. It also ends the former identifier just before it stores a
 * session with a new one. Then there is nothing to do, because `ArtifactsRepository.store` replaces the identifier.
 */
async function endSession(artifacts: ArtifactsRepository, id: string): Promise<void> {
  const session = sessionIn(Provider.ctx);
  if (session && session.oldId !== id) await artifacts.endSession(session.uid);
}

/**
 * The error for a request whose session has ended since the request loaded it. The answer says nothing about a session,
 * because the browser may have the cookie of a newer one.
 */
function sessionHasEnded(ctx: KoaContextWithOIDC): Error {
  const session = sessionIn(ctx);
  // Otherwise the library tries to store the session once more.
  if (session) session.destroyed = true;
  const name = ctx.oidc.provider.cookieName('session');
  const cookies = [ctx.res.getHeader('set-cookie') ?? []].flat().map(String);
  ctx.set(
    'set-cookie',
    cookies.filter((cookie) => !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.sig=`)),
  );
  return new errors.LoginRequired('the session has ended, or has got another identifier, in the meantime');
}

/**
 * Gives clients to the library by their `client_id`. Only the service itself creates and changes clients (see
 * `ClientsController`).
 */
function clientsAdapter(clients: ClientsRepository, issuer: string): Adapter {
  return {
    find: async (clientId) => {
      if (clientId === PAGES_CLIENT_ID) return pagesClient(issuer);
      const client = await clients.findActive(clientId);
      return client ? metadataOf(client) : undefined;
    },
    findByUid: refuse,
    findByUserCode: refuse,
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('The library may only look up clients by their client_id.'));
}

/**
 * Stands for no scope. The library refuses a client with an empty scope, and would give every scope to a client without
 * this member. A client cannot get this scope for itself; see `requireScopes` in `provider.ts`.
 */
const NO_SCOPE = 'openid';

/**
 * The metadata of a client (RFC 7591), for the library. The table of clients has no secrets, only their hashes. So the
 * member `client_secret` has the hash of the present secret. For some time after a rotation, the previous secret stays
 * valid too. Then `client_secret` has both hashes, with a space between them. `compareClientSecret` in `provider.ts`
 * compares a given secret with these hashes.
 */
function metadataOf(client: Client): Record<string, unknown> {
  const { secretHash, previousHash, previousUntil } = client;
  const grantTypes = listOf<GrantType>(client.grantTypes);
  const redirectUris = listOf(client.redirectUris);
  const isForUsers = grantTypes.includes('authorization_code');
  const hasPrevious = previousHash !== null && previousUntil !== null && previousUntil > new Date();
  return {
    client_id: client.clientId,
    client_name: client.name,
    redirect_uris: redirectUris,
    grant_types: grantTypes,
    response_types: isForUsers ? ['code'] : [],
    scope: [...listOf(client.scopes), ...(isForUsers ? BESIDES_SCOPES : [])].join(' ') || NO_SCOPE,
    application_type: redirectUris.some(isNative) ? 'native' : 'web',
    id_token_signed_response_alg: 'ES256',
    may_introspect: client.mayIntrospect,
    ...(secretHash === null
      ? { token_endpoint_auth_method: 'none' }
      : {
          token_endpoint_auth_method: 'client_secret_basic',
          client_secret: hasPrevious ? `${secretHash} ${previousHash}` : secretHash,
        }),
  };
}
