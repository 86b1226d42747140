import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BASIC_CHALLENGE } from '../../engine/access/challenges.js';
import { FORMS } from '../../engine/browse/filters.js';
import { pageAt } from '../../engine/browse/page.js';
import { SentForm } from '../../engine/browse/sent-form.js';
import type { HttpConfig } from '../../engine/config/slices.js';
import { Forbidden, MalformedRequest, NotFound, UnsupportedMediaType } from '../../engine/errors/errors.js';
import { isObject, type ProblemBody } from '../../engine/formats/format.js';
import { hookOf } from '../../engine/http/hook.js';
import { Origins } from '../../engine/http/origins.js';
import type { Step } from '../../engine/http/steps.js';
import { html, type Html } from '../../engine/pages/html.js';
import { POLICIES, SECURITY_HEADERS } from '../../engine/pages/security.js';
import { ask } from './own-requests.js';

/*
 * The forms of a browser without a script (ADR 64). The browser sends a form with the password of its own dialog. The
 * form describes a request. This route sends this request to the API with the same credential, and answers with a page.
 */

const TYPE = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 65_536;

export function laySentForms(fastify: FastifyInstance, config: HttpConfig): void {
  fastify.route<{ Params: { '*': string } }>({
    method: 'POST',
    url: `${FORMS}/*`,
    bodyLimit: MAX_FORM_BYTES,
    onRequest: hookOf([requireOwnForm(new Origins(config))]),
    handler: (request, reply) => take(request, reply),
  });
}

/**
 * Requires that a page of this service has sent the form. The headers `Origin` and `Sec-Fetch-Site` show this. The API
 * accepts requests without these headers, because programs do not send them. Here one of them is required: a form comes
 * from a browser, and every browser names the origin of a form. A form of an origin in `STORE_CORS_ORIGINS` is refused
 * too, because a browser sends a form without a preflight request, and adds the password of its own dialog (Basic).
 */
function requireOwnForm(origins: Origins): Step {
  return (request) => {
    const { origin, 'sec-fetch-site': site, 'content-type': type } = request.headers;
    const isNamed = origin !== undefined || site !== undefined;
    if (!isNamed || origins.isForeign(request, request.host))
      throw new Forbidden([], 'This form was not sent from a page of this service.');
    if (type?.split(';', 1)[0]?.trim().toLowerCase() !== TYPE) throw new UnsupportedMediaType([TYPE]);
  };
}

async function take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = (request.url.split('?', 1)[0] as string).slice(FORMS.length);
  const entries = entriesIn((request.body as Buffer | undefined) ?? Buffer.of());
  const { site } = request.server;
  const sent = /^\/(api|users)\/[\w/~-]+$/.test(path) ? SentForm.find(path, entries, site) : null;
  if (!sent) throw new NotFound('There is no such form at this address.');
  const { location, form } = sent;
  const show = (status: number, content: Html, title = form.title): FastifyReply =>
    reply
      .code(status)
      .headers({
        ...SECURITY_HEADERS,
        'content-security-policy': POLICIES.browse,
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(pageAt(location, site, title, status, content));
  const leave = (address: string): FastifyReply =>
    reply.header('cache-control', 'no-store').redirect(address, 303);

  if (sent.wantsMore) return show(200, sent.again());
  if (sent.takesTheirs) return show(200, sent.withTheirs());
  if (sent.isUnsure)
    return show(400, sent.again(html`Nothing was deleted. Mark “I am sure”, and send the form again.`));
  if (sent.ownFaults.size > 0) return show(400, sent.unsent());
  const wanted = sent.request();
  if (!wanted) return leave(location.path);
  const answer = await ask(request, wanted);
  const { status } = answer;
  if (status < 300) {
    const target =
      answer.location ??
      (status === 204 && wanted.url.split('?', 1)[0] === location.path
        ? parentOf(location.path)
        : location.path);
    return form.once.length === 0 ? leave(target) : show(200, onceOf(form.once, answer.body, target));
  }
  if (status === 401) {
    // The browser asks for the password, and sends the same form again.
    reply.header('www-authenticate', BASIC_CHALLENGE);
    return show(401, sent.again(html`Sign in, and send the form again. Your entries are still here.`));
  }
  if (status !== 412) return show(status, sent.refused(answer.body));
  const present = await ask(request, {
    method: 'GET',
    url: location.path,
    headers: { accept: 'application/json' },
  });
  if (present.status !== 200) return show(present.status, sent.refused(present.body));
  const { key } = location.operation?.answer ?? { key: null };
  const row = key === null ? present.body : present.body[key];
  return show(412, sent.raced(isObject(row) ? row : {}, present.etag));
}

/** @throws MalformedRequest for bytes that are not UTF-8, because they would be stored as U+FFFD */
function entriesIn(body: Buffer): URLSearchParams {
  const text = body.toString();
  try {
    decodeURIComponent(text);
    if (isUtf8(body)) return new URLSearchParams(text);
  } catch {
    // A `URIError` leads to the refusal below.
  }
  throw new MalformedRequest('The form is not valid UTF-8.');
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The members of an answer that the service never shows again, such as the secret of a key. */
function onceOf(names: readonly string[], body: ProblemBody, target: string): Html {
  const shown = names.flatMap((name) =>
    typeof body[name] === 'string' ? [[name, body[name]] as const] : [],
  );
  return html`<section class="once" aria-label="Shown only once">
    <p>Copy this now. No other page shows it.</p>
    <dl>
      ${shown.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd><code>${value}</code></dd>`,
      )}
    </dl>
    <p><a href="${target}">Open it</a></p>
  </section>`;
}
