import Negotiator from 'negotiator';
import { FORMATS, formatNamed } from './formats.js';
import type { Format } from './format.js';
import { json } from './json.js';

/** What is read of a request to find the format of its answer. */
export interface Asked {
  readonly url: string;
  readonly headers: { readonly accept?: string | undefined };
}

/** The value of `?format=`; null without one. Whether it may stand there is for validation to say. */
export function wishedFormat(url: string): string | null {
  const at = url.indexOf('?');
  if (at === -1) return null;
  const query = url.slice(at + 1);
  return /format|%/i.test(query) ? new URLSearchParams(query).get('format') : null;
}

/**
 * The media type that `Accept` prefers, with its q-values (RFC 9110, section 12.5.1), and among equals the first.
 *
 * @returns undefined when none is acceptable
 */
export function preferred(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === offered[0]) return offered[0];
  const headers = { accept: withoutAliases(withoutParameters(accept)) };
  return new Negotiator({ headers }).mediaType([...offered]);
}

/** Problems are answered whatever is acceptable. */
const PROBLEM_TYPES: ReadonlyMap<string, Format> = new Map(
  FORMATS.flatMap((format) => [
    ...(format.problem ? [[format.problem.mediaType, format] as const] : []),
    [format.mediaType, format] as const,
  ]),
);
const PROBLEM_OFFERS = [...PROBLEM_TYPES.keys()];

/** The format of a problem: the one that the answer would have had, as far as problems have it, otherwise JSON. */
export function problemFormatOf({ url, headers: { accept } }: Asked): Format & { problem: object } {
  const wished = wishedFormat(url);
  const named = wished === null ? undefined : formatNamed(wished);
  const format = named ?? PROBLEM_TYPES.get(preferred(accept, PROBLEM_OFFERS) ?? '') ?? json;
  return (format.problem ? format : json) as Format & { problem: NonNullable<Format['problem']> };
}

const ALIASES = /(?<![^\s,])(?:text\/(?:xml|yaml|x-yaml)|application\/x-yaml)(?=\s*(?:[;,]|$))/gi;

/** Other names of a format, the only ones that some clients know (RFC 7303, section 9.2; RFC 9512, section 2.1). */
function withoutAliases(accept: string): string {
  return accept.replace(ALIASES, (name) => `application/${/yaml$/i.test(name) ? 'yaml' : 'xml'}`);
}

/**
 * All but `q`: what is offered has no parameters, so that Negotiator takes `application/json; charset=utf-8` for
 * something else, while its senders mean JSON.
 */
function withoutParameters(accept: string): string {
  return accept.replace(/;(?!\s*q\s*=)[^;,="]*(?:=(?:"(?:[^"\\]|\\.)*"|[^;,"]*))?/gi, '');
}
