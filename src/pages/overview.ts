import { readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { escapeHtml } from './html.js';

/** What the overview says besides its own text; `{{name}}` in pages/index.html is the place of each. */
export interface Facts {
  readonly version: string;
  /** Where this visitor reaches the service, such as `https://store.example`. */
  readonly origin: string;
  /** The same for WebSockets. */
  readonly socketOrigin: string;
  readonly database: string;
  readonly currency: string;
  /** One sentence at the top, on what kind of store it is; nothing is shown for an empty one. */
  readonly notice: string;
  /** When a key was printed, as the beginning of a sentence. */
  readonly keyPrinted: string;
}

const DEMO =
  'This is the demo store: everything in it is made up, and its key ends with the process that printed it.';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export function factsOf(config: Config, request: FastifyRequest): Facts {
  const origin = config.publicUrl ?? originOf(request);
  return {
    version,
    origin,
    socketOrigin: origin.replace(/^http/, 'ws'),
    database: config.databaseUrl.startsWith('sqlite:') ? 'SQLite' : 'PostgreSQL',
    currency: config.currency.code,
    notice: config.demo ? DEMO : '',
    keyPrinted: config.demo
      ? 'The service printed one when it started'
      : 'The first start of the service printed one',
  };
}

export function overviewOf(template: string, facts: Facts): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_place, name) => escapeHtml(facts[name as keyof Facts]));
}

/**
 * By the name that the visitor asked for. It is shown in commands to paste, so that a name with anything else than
 * what names are made of is not repeated.
 */
export function originOf({ protocol, host, socket }: FastifyRequest): string {
  const isPlain = /^[\w.-]+(:\d+)?$|^\[[\dA-Fa-f:.]+\](:\d+)?$/.test(host);
  return `${protocol}://${isPlain ? host : `localhost:${socket.localPort}`}`;
}
