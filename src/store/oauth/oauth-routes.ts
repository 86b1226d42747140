import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { audienceOf } from '../../engine/access/issuer.js';
import type { HttpConfig } from '../../engine/config/slices.js';
import { Forbidden, UnsupportedMediaType } from '../../engine/errors/errors.js';
import { problemOf, report } from '../../engine/contract/problem.js';
import { hookOf } from '../../engine/http/hook.js';
import { Origins, refuseForged } from '../../engine/http/origins.js';
import { queryTextOf } from '../../engine/contract/parameters.js';
import type { Step } from '../../engine/http/steps.js';
import type { Subject } from '../../engine/rate-limits/rate-limits.js';
import type { Interactions, Turn } from './interactions.js';
import { answerBy, type OAuthServer } from './oauth-server.js';
import { errorPage, POLICY } from './pages.js';
import { INTERACTION_PATH, OAUTH_PATHS } from './routes.js';
import type { RouteSet } from '../../engine/http/route-set.js';

const FORM = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 8192;
/** The library stores most parameters of a query, some of them twice. */
const MAX_QUERY_BYTES = 4_096;

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With the stricter `no-referrer`, Chromium would send `Origin: null` with a form, and `requireOwnForm` would refuse
  // the form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;

// The library writes pages whose form is sent by a script. It adds the digest of this script at the end of the policy.
const OF_THE_LIBRARY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; script-src";

export const OAUTH_ROUTES: RouteSet = {
  paths: {
    ...Object.fromEntries(Object.entries(OAUTH_PATHS).map(([path, methods]) => [path, withHead(methods)])),
    [INTERACTION_PATH]: withHead(['GET', 'POST']),
  },
  lay: (route, _identify, count) => {
    route.onRequest = [hookOf([count]), route.onRequest ?? []].flat();
  },
};

/** Fastify also answers HEAD for each GET route. */
function withHead(methods: readonly string[]): readonly string[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

/**
 * Adds the authorization server, for programs and for browsers. These routes ignore the credentials of the API, such as
 * API keys.
 */
export function layOAuth(
  fastify: FastifyInstance,
  config: HttpConfig,
  server: OAuthServer,
  interactions: Interactions,
): void {
  const hidden = { config: { hidesPath: true as const } };
  const origins = new Origins(config);
  for (const [url, methods] of Object.entries(OAUTH_PATHS)) {
    const refuseOtherPages = url.startsWith('/oauth/token') ? refuseForeign(origins) : refuseForged(origins);
    fastify.route({
      ...hidden,
      url,
      method: [...methods],
      // The library reads the body itself. So it answers in `onRequest`, before Fastify reads a body.
      onRequest: hookOf([requireShortQuery, refuseOtherPages, handOver(server)]),
      handler: (_request, reply) => reply,
    });
  }
  fastify.get<{ Params: { uid: string } }>(INTERACTION_PATH, {
    ...hidden,
    handler: (request, reply) => answerWith(request, reply, () => interactions.show(visitOf(request, reply))),
  });
  fastify.post<{ Params: { uid: string } }>(INTERACTION_PATH, {
    ...hidden,
    bodyLimit: MAX_FORM_BYTES,
    onRequest: hookOf([requireOwnForm(new URL(audienceOf(config)).origin)]),
    handler: (request, reply) => {
      const form = new URLSearchParams(
        Buffer.from((request.body as Uint8Array | undefined) ?? []).toString(),
      );
      return answerWith(request, reply, () => interactions.take(visitOf(request, reply), form, request.ip));
    },
  });
}

const requireShortQuery: Step = (request, reply) => {
  const { length } = queryTextOf(request.url);
  if (length <= MAX_QUERY_BYTES) return;
  const detail = `The query of this address has ${length} bytes; it may have at most ${MAX_QUERY_BYTES}.`;
  void sendPage(reply.headers(HEADERS), 414, errorPage(detail), POLICY);
};

/**
 * Refuses the requests of a page of another origin, unless `STORE_CORS_ORIGINS` names the origin. The library would
 * decide this only when it knows the client, and would let any page read the errors before. The answer has the form of
 * an error of OAuth (RFC 6749, section 5.2).
 */
function refuseForeign(origins: Origins): Step {
  return (request, reply) => {
    if (!origins.isForged(request, request.host)) return;
    void reply.headers(HEADERS).code(400).send({
      error: 'invalid_request',
      error_description: 'a page of another origin may not send this request',
    });
  };
}

/** Lets the library write the answer, with the headers that all our answers have. */
function handOver(server: OAuthServer): Step {
  return async (request, reply) => {
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...HEADERS })) {
      reply.raw.setHeader(name, value as string);
    }
    reply.raw.setHeader('content-security-policy', OF_THE_LIBRARY);
    // All that may fail comes first. After `hijack`, Fastify answers no error, and the client would wait for ever.
    const provider = await server.provider();
    reply.hijack();
    // `lay` has counted the request, so it has a subject.
    await answerBy(provider, request.raw, reply.raw, request.subject as Subject);
  };
}

/**
 * Requires that one of our forms is sent from one of our pages. The cookie of the interaction proves this already,
 * because browsers do not send this cookie with a form of another site. This step checks the same a second time, by
 * headers that only the browser can set.
 */
function requireOwnForm(own: string): Step {
  return (request) => {
    const { origin, 'sec-fetch-site': site, 'content-type': type } = request.headers;
    if ((origin !== undefined && origin !== own) || (site !== undefined && site !== 'same-origin')) {
      throw new Forbidden([], 'This form was sent from another site.');
    }
    if (type?.split(';', 1)[0]?.trim().toLowerCase() !== FORM) throw new UnsupportedMediaType([FORM]);
  };
}

function visitOf(request: FastifyRequest<{ Params: { uid: string } }>, reply: FastifyReply) {
  return { request: request.raw, response: reply.raw, uid: request.params.uid };
}

async function answerWith(
  request: FastifyRequest,
  reply: FastifyReply,
  turn: () => Promise<Turn>,
): Promise<FastifyReply> {
  reply.headers(HEADERS);
  try {
    const answer = await turn();
    if ('next' in answer) return reply.code(303).header('location', answer.next).send();
    return sendPage(reply, answer.status, answer.page, answer.policy);
  } catch (error) {
    // People see the answers of these routes in a browser, so an error is answered as a page.
    const problem = problemOf(error);
    report(problem, request.id);
    return sendPage(reply, problem.status, errorPage(problem.detail), POLICY);
  }
}

function sendPage(reply: FastifyReply, status: number, page: string, policy: string): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(page);
}
