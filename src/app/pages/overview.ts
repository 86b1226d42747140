import type { FastifyRequest } from 'fastify';
import type { Config } from '../../engine/config/config.js';
import { isOldEnded, shownVersion, SUCCESSOR } from '../../engine/http/versions.js';
import { html, type Html } from '../../engine/pages/html.js';
import { originOf } from '../../engine/pages/origin.js';
import { SERVICE_VERSION } from '../../engine/values/service-version.js';

/**
 * The facts that the overview shows besides its own text. In pages/index.html, each fact has a placeholder with its
 * name, such as `{{version}}`.
 */
export interface Facts {
  readonly version: string;
  /** The origin at which this visitor reaches the service, such as `https://store.example`. */
  readonly origin: string;
  /** The same origin with the scheme of WebSockets, such as `wss://store.example`. */
  readonly socketOrigin: string;
  /** The path at which the REST interface begins, in the version that the examples use. */
  readonly api: string;
  readonly database: string;
  readonly currency: string;
  /** A price of 18 as JSON, in the form that the version of `api` has. */
  readonly price: string;
  /** A text at the top about the kind of store. If it is empty, nothing is shown. */
  readonly notice: string;
  /** The beginning of a sentence that says when the service printed a key. */
  readonly keyPrinted: string;
}

const DEMO =
  'This is the demo store. All its data is made up. Its key is valid until the process that printed it ends, for at most 24 hours.';

export function factsOf(config: Config, request: FastifyRequest): Facts {
  const origin = config.http.publicUrl ?? originOf(request);
  const version = shownVersion(config.http);
  const { currency } = config;
  return {
    version: SERVICE_VERSION,
    origin,
    socketOrigin: origin.replace(/^http/, 'ws'),
    api: `/api/${version}`,
    database: config.database.url.startsWith('sqlite:') ? 'SQLite' : 'PostgreSQL',
    currency: currency.code,
    price:
      version === SUCCESSOR
        ? JSON.stringify(currency.toMoney(currency.toMinor(18, { pointer: '/price' })))
        : '18',
    notice: config.demo ? DEMO : '',
    keyPrinted: config.demo
      ? 'The service printed a key when it started'
      : 'The first start of the service printed a key',
  };
}

/**
 * The notice above the REST reference. It is needed after the end of version 1, because the reference still describes
 * version 1.
 */
export function docsNotice(config: Config): string {
  return isOldEnded(config.http)
    ? `Version 1 has ended: /api/v1, its alias /api and /users/{id} answer with 410. The present version is at /api/${SUCCESSOR}.`
    : '';
}

/** Puts the facts into the placeholders of a page. A text is escaped, and HTML is not. */
export function filled<T extends { readonly [K in keyof T]: string | Html }>(
  template: string,
  facts: T,
): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_place, name) => html`${facts[name as keyof T]}`.text);
}
