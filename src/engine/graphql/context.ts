import type DataLoader from 'dataloader';
import { RowAccess } from '../access/row-access.js';
import { RequestAsker } from '../rate-limits/asker.js';
import type { Only } from '../events/audience.js';
import type { Subject } from '../rate-limits/rate-limits.js';
import { originOf, Precondition, type Context } from '../contract/context.js';
import { argumentPointer } from '../database/transaction.js';
import type { GraphqlContext } from '../../generated/graphql.js';
import type { IdempotencyKey } from '../idempotency/idempotency-key.js';
import type { AdmittedOperation } from './admitted-operation.js';
import { FROM_NOW_ON, type Resume } from './resume.js';
import type { TraceName } from '../tracing/span.js';
import type { AnyRequest } from '../contract/any-request.js';

/** The context of resolvers. It is made anew for every operation. */
declare module '../../generated/graphql.js' {
  interface GraphqlContext extends Context {
    /** The subject for which the cost is counted; null: the cost is not counted. */
    readonly subject: Subject | null;
    /** One loader for each relation, so that a level of the answer costs one statement; see `batched`. */
    readonly loaders: Map<object, DataLoader<number, unknown>>;
    /** The `Idempotency-Key` header, if the operation came as an HTTP request that Apollo does not read itself. */
    readonly keyHeader: string | null;
    /** Set before the execution of a mutation that has a key; see `idempotencyPlugin`. */
    idempotencyKey: IdempotencyKey | null;
    readonly resume: Resume;
    /** The operation; null until it is admitted (see `OperationReader`). */
    admitted: AdmittedOperation | null;
    /**
     * The position in the log of events after which the subscription of this operation began; null if it began at the
     * present.
     */
    after: number | null;
    /** The caller's own rows, for a subscription whose caller may see only these rows; otherwise null. */
    ownRows: Only | null;
    /** Whether the operation came by a safe method (GET). */
    readonly isSafe: boolean;
  }
}

export type { GraphqlContext };

/** The caller of an operation, with the subject for which the operation is counted; null: it is not counted. */
export interface OperationCaller extends Pick<Context, 'principal' | 'ip' | 'confirm'> {
  readonly subject: Subject | null;
}

/**
 * Makes the context for an HTTP request, or for an operation on a connection that stays open. An operation on such a
 * connection has an id of its own.
 */
export function contextOf(
  { principal, ip, subject, confirm }: OperationCaller,
  id: string,
  {
    resume = FROM_NOW_ON,
    isSafe = false,
    keyHeader = null as string | null,
    isGone = (): boolean => false,
    trace = null as TraceName | null,
  } = {},
): GraphqlContext {
  return {
    principal,
    ip,
    // A root field gets the row access of its own policy.
    reach: RowAccess.NOTHING,
    requestId: id,
    trace,
    asker: new RequestAsker(subject, id, isGone),
    origin: originOf(principal, id, null, argumentPointer),
    precondition: Precondition.NONE,
    confirm,
    subject,
    patch: null,
    sentBack: null,
    stream: null,
    position: null,
    loaders: new Map(),
    keyHeader,
    idempotencyKey: null,
    resume,
    admitted: null,
    after: null,
    ownRows: null,
    isSafe,
  };
}

/** Makes the context of an operation that is an HTTP request to /graphql itself. */
export function httpContextOf(request: AnyRequest): GraphqlContext {
  return contextOf(callerOf(request), request.id, {
    isGone: () => request.raw.socket.destroyed,
    trace: request.trace,
  });
}

export function callerOf(request: AnyRequest): OperationCaller {
  const { principal, ip, subject, server } = request;
  return { principal, ip, subject, confirm: () => server.confirmCallerNow(request) };
}
