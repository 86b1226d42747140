import Negotiator from 'negotiator';
import { FORMATS, formatNamed } from './formats.js';
import type { Format } from './format.js';
import { json } from './json.js';

/** The parts of a request that decide the format of its answer. */
export interface Asked {
  readonly url: string;
  readonly headers: { readonly accept?: string | undefined };
}

/** The value of `?format=`; null without one. Validation decides whether it is allowed. */
export function wishedFormat(url: string): string | null {
  const at = url.indexOf('?');
  if (at === -1) return null;
  const query = url.slice(at + 1);
  return /format|%/i.test(query) ? new URLSearchParams(query).get('format') : null;
}

/**
 * The media type that `Accept` prefers, by its q-values (RFC 9110, section 12.5.1). If several types have the same
 * q-value, a type that `Accept` names exactly comes before a type of a range such as `text/*`. Then the order in
 * `Accept` decides, then the order in `offered`.
 *
 * @returns undefined when none is acceptable
 */
export function preferred(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === offered[0]) return offered[0];
  const headers = { accept: withoutAliases(withoutParameters(accept)) };
  return new Negotiator({ headers }).mediaType([...offered]);
}

/** The formats of problems. A problem is sent even if none of them is acceptable. */
const PROBLEM_TYPES: ReadonlyMap<string, Format> = new Map(
  FORMATS.flatMap((format) => [
    ...(format.problem ? [[format.problem.mediaType, format] as const] : []),
    [format.mediaType, format] as const,
  ]),
);
const PROBLEM_OFFERS = [...PROBLEM_TYPES.keys()];

/** The format of a problem: the requested format, if this format can write problems, otherwise JSON. */
export function problemFormatOf({ url, headers: { accept } }: Asked): Format & { problem: object } {
  const wished = wishedFormat(url);
  const named = wished === null ? undefined : formatNamed(wished);
  const format = named ?? PROBLEM_TYPES.get(preferred(accept, PROBLEM_OFFERS) ?? '') ?? json;
  return (format.problem ? format : json) as Format & { problem: NonNullable<Format['problem']> };
}

const ALIASES = /(?<![^\s,])(?:text\/(?:xml|yaml|x-yaml)|application\/x-yaml)(?=\s*(?:[;,]|$))/gi;

/**
 * Replaces the other names of XML and YAML with their standard names, because some clients send only the other names
 * (RFC 7303, section 9.2; RFC 9512, section 2.1).
 */
function withoutAliases(accept: string): string {
  return accept.replace(ALIASES, (name) => `application/${/yaml$/i.test(name) ? 'yaml' : 'xml'}`);
}

/**
 * Removes all parameters except `q`. The offered types have no parameters, so Negotiator would not match
 * `application/json; charset=utf-8`, although its senders mean JSON.
 */
function withoutParameters(accept: string): string {
  return accept.replace(/;(?!\s*q\s*=)[^;,="]*(?:=(?:"(?:[^"\\]|\\.)*"|[^;,"]*))?/gi, '');
}
