import type { RowAccess } from '../access/row-access.js';
import { OPERATIONS, type OperationId } from '../../generated/operations.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.js';
import { IdempotentAct } from '../idempotency/idempotent-act.js';
import { RequestAsker } from '../rate-limits/asker.js';
import { originOf, Precondition, type Context } from './context.js';
import { preconditionOf } from './entity-tag.js';
import { positionIn } from './list.js';
import { streamWishOf } from './live-answer.js';
import type { AnyRequest } from './any-request.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The `Idempotency-Key` of the request; null without one. It is set when the context is made. */
    idempotencyKey: IdempotencyKey | null;
  }

  interface FastifyInstance {
    /** Whether the service requires a condition for each change that accepts one (`STORE_REQUIRE_IF_MATCH`). */
    requiresCondition: boolean;
  }
}

const CONDITIONS = ['if-match', 'if-none-match', 'if-unmodified-since'];

type Row = (typeof OPERATIONS)[OperationId];

/** The validated content of a request. */
interface Content extends Pick<Context, 'patch' | 'sentBack'> {
  readonly values: readonly unknown[];
  /** The content of the body that is not in `values`. It is compared too when an `Idempotency-Key` is sent again. */
  readonly said: readonly unknown[];
}

/**
 * Returns a function that makes the context of an operation from a request. The context has the caller, the id of the
 * request, its conditions, and other data that is not input. The returned function throws `CursorInvalid` for a wrong
 * cursor.
 */
export function contextFor(row: Row): (request: AnyRequest, reach: RowAccess, content: Content) => Context {
  const isSlice = row.answer.shape === 'slice';
  const declared = new Set(Object.keys(row.headers?.kinds ?? {}).map((name) => name.toLowerCase()));
  const takesPrecondition = declared.has('if-match');
  const takesKey = declared.has('idempotency-key');
  const conditions = CONDITIONS.filter((name) => declared.has(name));
  // A condition that the operation does not declare is not evaluated, so it must not count as a condition.
  const conditionsIn = ({ headers }: AnyRequest): AnyRequest['headers'] =>
    Object.fromEntries(conditions.map((name) => [name, headers[name]]));
  return (request, reach, content) => {
    const { principal, ip, id: requestId, trace } = request;
    const precondition = takesPrecondition
      ? preconditionOf(conditionsIn(request), request.server.requiresCondition)
      : Precondition.NONE;
    return {
      principal,
      ip,
      reach,
      requestId,
      trace,
      asker: new RequestAsker(request.subject, requestId, () => request.raw.socket.destroyed),
      origin: originOf(principal, requestId, takesKey ? keyedBy(request, row.id, content) : null),
      precondition,
      confirm: () => request.server.confirmCallerNow(request),
      stream: streamWishOf(request),
      patch: content.patch,
      sentBack: content.sentBack,
      position: isSlice ? positionIn(request, row, reach) : null,
    };
  };
}

/**
 * The idempotent act of a request; null without an `Idempotency-Key`. A repeated request must have the same path,
 * query, body and conditions after validation.
 */
function keyedBy(
  request: AnyRequest,
  operation: OperationId,
  { values, said }: Content,
): IdempotentAct | null {
  const text = request.headers['idempotency-key'];
  if (text === undefined) return null;
  const key = IdempotencyKey.in(String(text)) as IdempotencyKey;
  request.idempotencyKey = key;
  return new IdempotentAct(key, request.principal, operation, [
    ...values,
    ...said,
    ...CONDITIONS.map((name) => request.headers[name]),
  ]);
}
