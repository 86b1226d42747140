import { MalformedRequest, type Fault } from '../errors/errors.js';
import type { ParameterKind } from '../../generated/operations.js';

/** Separates the items of a list. No item contains it. */
const SEPARATOR = ',';

export function queryTextOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/**
 * Reads a query (WHATWG form encoding). A name that is given twice is a fault. The exception is a list: its items may
 * come in several parameters of the same name, or separated by commas.
 *
 * @throws MalformedRequest
 */
export function parseQuery(
  text: string,
  faults: Fault[],
  kinds: Readonly<Record<string, ParameterKind>>,
): Record<string, string> {
  const plain: Record<string, string> = Object.create(null) as Record<string, string>;
  if (text === '') return plain;
  const isPlain = !/[%+]/.test(text);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const givenName = at === -1 ? pair : pair.slice(0, at);
    const givenValue = at === -1 ? '' : pair.slice(at + 1);
    const name = isPlain ? givenName : decode(givenName);
    const value = isPlain ? givenValue : decode(givenValue);
    if (name.trim() === '') throw new MalformedRequest('The query has a parameter without a name.');
    const first = plain[name];
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (first !== undefined && kind?.type === 'array') plain[name] = first + SEPARATOR + value;
    else {
      if (first !== undefined) {
        faults.push({ parameter: name, code: 'REPEATED_PARAMETER', detail: 'must not be given twice' });
      }
      plain[name] = value;
    }
  }
  return plain;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new MalformedRequest('The query is not valid percent-encoding of UTF-8.');
  }
}

/** Converts texts to the types of the contract. A text that cannot be converted is kept, and validation refuses it. */
export function convert(
  texts: Readonly<Record<string, string>>,
  kinds: Readonly<Record<string, ParameterKind>>,
  faults: readonly Fault[],
): Record<string, unknown> {
  const plain = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(texts)) {
    if (faults.some((fault) => fault.parameter === name)) continue;
    const text = texts[name] as string;
    const kind = kinds[name];
    plain[name] = kind ? converted(text, kind) : text;
  }
  return plain;
}

/** Converts the parameters of a path. The router gives exactly those that the contract names. */
export function convertPath(
  texts: Readonly<Record<string, string>>,
  kinds: Readonly<Record<string, ParameterKind>>,
): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name in kinds) plain[name] = converted(texts[name] as string, kinds[name] as ParameterKind);
  return plain;
}

function converted(text: string, kind: ParameterKind): unknown {
  return kind.type === 'array'
    ? text.split(SEPARATOR).map((item) => scalar(item, kind.items))
    : scalar(text, kind.type);
}

function scalar(text: string, type: 'string' | 'integer' | 'number' | 'boolean'): unknown {
  switch (type) {
    case 'integer':
      return /^-?(0|[1-9]\d{0,17})$/.test(text) ? Number(text) : text;
    case 'number':
      return /^-?(0|[1-9]\d{0,17})(\.\d{1,20})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
}
