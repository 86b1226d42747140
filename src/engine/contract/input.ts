import { MOST_FAULTS, ValidationFailed, type Fault } from '../errors/errors.js';
import { OPERATIONS, type OperationId } from '../../generated/operations.js';
import { accept, bodyReader, NO_BODY, type ReadBody } from './body.js';
import type { Present } from './representation.js';
import { convert, convertPath, parseQuery, queryTextOf } from './parameters.js';
import { validate } from './validate.js';
import type { Currency } from '../values/currency.js';
import type { AnyRequest } from './any-request.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Makes the representation of a row. Only routes with a body and with entities in their answers have it. */
    present?: Present;
    /** The currency of the store. Only routes with a body have it. */
    currency?: Currency;
  }
}

type Row = (typeof OPERATIONS)[OperationId];

/** The validated input of an operation. */
interface Input extends Omit<ReadBody, 'value'> {
  /** Path, query and body, in this order. A part that the handler does not get is left out. */
  readonly values: unknown[];
}

/**
 * Compiles the validation of an operation. The returned function reads path, query, headers and body of a request. The
 * headers are only validated here; `contextFor` uses them.
 *
 * @throws ValidationFailed with all faults of the request at once
 * @throws MalformedRequest when a part cannot be read
 */
export function inputReader(row: Row): (request: AnyRequest) => Input {
  const { path, query, body } = row;
  const readHeaders = headerReader(row.headers);
  // The faults of version 1 do not list the known names, because the answers of version 1 do not change.
  const tellsNames = row.version !== 'v1';
  const readBody = body && bodyReader(body, tellsNames);
  return (request) => {
    const faults: Fault[] = [];
    const values: unknown[] = [];
    if (path) {
      const plain = convertPath(request.params as Record<string, string>, path.kinds);
      values.push(accept(validate(path.dto, plain, 'path'), faults));
    }
    const text = queryTextOf(request.url);
    if (query && (query.isHanded || text !== '')) {
      const plain = convert(parseQuery(text, faults, query.kinds), query.kinds, faults);
      const value = accept(validate(query.dto, plain, 'query', tellsNames), faults);
      request.query = value ?? {};
      if (query.isHanded) values.push(value);
    } else if (text !== '') {
      for (const name of Object.keys(parseQuery(text, faults, {}))) faults.push(unknownParameter(name));
    }
    readHeaders?.(request, faults);
    const { value, patch, sentBack, said } = readBody?.(request, faults) ?? NO_BODY;
    if (body) values.push(value);
    if (faults.length > 0) throw new ValidationFailed(distinct(faults));
    return { values, patch, sentBack, said };
  };
}

/** If none of the headers was sent and none is required, nothing is validated. */
function headerReader(headers: Row['headers']): ((request: AnyRequest, faults: Fault[]) => void) | undefined {
  if (!headers) return undefined;
  const names = Object.keys(headers.kinds).map((name) => [name, name.toLowerCase()] as const);
  const isAnyRequired = 'faults' in validate(headers.dto, {}, 'header');
  return ({ headers: given }, faults) => {
    const texts: Record<string, string> = {};
    let isAnyGiven = isAnyRequired;
    for (const [name, key] of names) {
      const text = given[key];
      if (text === undefined) continue;
      texts[name] = String(text);
      isAnyGiven = true;
    }
    if (isAnyGiven) accept(validate(headers.dto, convert(texts, headers.kinds, []), 'header'), faults);
  };
}

function unknownParameter(name: string): Fault {
  return { parameter: name, code: 'UNKNOWN_PARAMETER', detail: 'is not a parameter of this operation' };
}

/** Keeps at most a hundred faults, and only one for each parameter or pointer. */
function distinct(faults: readonly Fault[]): readonly Fault[] {
  const places = new Map<string, Fault>();
  for (const fault of faults) {
    const place = fault.parameter ?? fault.pointer ?? '';
    if (!places.has(place)) places.set(place, fault);
  }
  return [...places.values()].slice(0, MOST_FAULTS);
}
