import type { FastifyRequest } from 'fastify';
import type { RowAccess } from '../access/row-access.js';
import { MOST_FAULTS, ValidationFailed, type Fault } from '../errors/errors.js';
import { OPERATIONS, type OperationId } from '../../generated/operations.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.js';
import { IdempotentAct } from '../idempotency/idempotent-act.js';
import { accept, bodyReader, NO_BODY } from './body.js';
import { originOf, Precondition, type Context } from './context.js';
import { preconditionOf } from './entity-tag.js';
import { askerOf } from '../rate-limits/asker.js';
import { streamWishOf } from './live-answer.js';
import type { Present } from './representation.js';
import { positionIn } from './list.js';
import { convert, parseQuery, queryTextOf } from './parameters.js';
import { validate } from './validate.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request is validated, if the operation accepts a key. */
    idempotencyKey: IdempotencyKey | null;
  }

  interface FastifyContextConfig {
    /** The representation of a row, on routes that create or change one. */
    present?: Present;
  }

  interface FastifyInstance {
    /** Whether changes are refused unless the client states a condition. */
    requiresCondition: boolean;
  }
}

const CONDITIONS = ['if-match', 'if-none-match', 'if-unmodified-since'];

type Row = (typeof OPERATIONS)[OperationId];

/**
 * Compiles the validation of an operation. The returned function reads path, query, headers and body of a request. It
 * returns the arguments of the handler in this order, followed by the context. Headers are only in the context.
 *
 * @throws ValidationFailed with all faults of the request at once
 * @throws MalformedRequest when a part cannot be read at all
 */
export function inputReader(row: Row): (request: FastifyRequest, reach: RowAccess) => unknown[] {
  const { path, query, body } = row;
  const isSlice = row.answer.shape === 'slice';
  const readHeaders = headerReader(row.headers);
  const takesPrecondition = row.headers !== null && 'If-Match' in row.headers.kinds;
  // The answers of version 1 do not change.
  const tellsNames = row.version !== 'v1';
  const readBody = body && bodyReader(body, tellsNames);
  const takesKey = row.headers !== null && 'Idempotency-Key' in row.headers.kinds;
  return (request, reach) => {
    const faults: Fault[] = [];
    const input: unknown[] = [];
    if (path) {
      const plain = convert(request.params as Record<string, string>, path.kinds, faults);
      input.push(accept(validate(path.dto, plain, 'path'), faults));
    }
    const text = queryTextOf(request.url);
    if (query && (query.isHanded || text !== '')) {
      const plain = convert(parseQuery(text, faults, query.kinds), query.kinds, faults);
      const value = accept(validate(query.dto, plain, 'query', tellsNames), faults);
      request.query = value ?? {};
      if (query.isHanded) input.push(value);
    } else if (text !== '') {
      for (const name of Object.keys(parseQuery(text, faults, {}))) faults.push(unknownParameter(name));
    }
    readHeaders?.(request, faults);
    const { value, patch, sentBack, said } = readBody?.(request, faults) ?? NO_BODY;
    if (body) input.push(value);
    if (faults.length > 0) throw new ValidationFailed(distinct(faults));
    const precondition = takesPrecondition
      ? preconditionOf(request.headers, request.server.requiresCondition)
      : Precondition.NONE;
    const { principal, id: requestId } = request;
    const origin = originOf(
      principal,
      requestId,
      takesKey ? keyedBy(request, row.id, [...input, ...said]) : null,
    );
    const context: Context = {
      principal,
      reach,
      requestId,
      asker: askerOf(request.subject, requestId, () => request.raw.socket.destroyed),
      origin,
      precondition,
      stream: streamWishOf(request),
      patch,
      sentBack,
      position: isSlice ? positionIn(request, row, reach) : null,
    };
    input.push(context);
    return input;
  };
}

/** A repeated request must have the same path, query, body and conditions after validation. */
function keyedBy(
  request: FastifyRequest,
  operation: OperationId,
  input: readonly unknown[],
): IdempotentAct | null {
  const text = request.headers['idempotency-key'];
  if (text === undefined) return null;
  const key = IdempotencyKey.in(String(text)) as IdempotencyKey;
  request.idempotencyKey = key;
  return new IdempotentAct(key, request.principal, operation, [
    ...input,
    ...CONDITIONS.map((name) => request.headers[name]),
  ]);
}

/** If none of the headers was sent and none is required, nothing is validated. */
function headerReader(
  headers: Row['headers'],
): ((request: FastifyRequest, faults: Fault[]) => void) | undefined {
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

/** At most a hundred faults, one for each place. */
function distinct(faults: readonly Fault[]): readonly Fault[] {
  const places = new Map<string, Fault>();
  for (const fault of faults) {
    const place = fault.parameter ?? fault.pointer ?? '';
    if (!places.has(place)) places.set(place, fault);
  }
  return [...places.values()].slice(0, MOST_FAULTS);
}
