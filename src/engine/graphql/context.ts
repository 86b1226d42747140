import type DataLoader from 'dataloader';
import type { FastifyRequest } from 'fastify';
import { RowAccess } from '../access/row-access.js';
import { askerOf } from '../rate-limits/asker.js';
import type { Subject } from '../rate-limits/rate-limits.js';
import { originOf, Precondition, type Context } from '../contract/context.js';
import type { GraphqlContext } from '../../generated/graphql.js';
import type { IdempotencyKey } from '../idempotency/idempotency-key.js';
import { FROM_NOW_ON, type Resume } from './resume.js';

/** What resolvers get; made anew for every operation. */
declare module '../../generated/graphql.js' {
  interface GraphqlContext extends Context {
    /** One loader for each relation, so that a level of the answer costs one statement; see `batched`. */
    /** For whom the cost is counted; null: for nobody. */
    readonly subject: Subject | null;
    readonly loaders: Map<object, DataLoader<number, unknown>>;
    /** What came as `Idempotency-Key` with an operation that is a request of HTTP, but not one to Apollo. */
    readonly keyHeader: string | null;
    /** Set before the execution of a mutation that came with one; see `idempotencyPlugin`. */
    idempotencyKey: IdempotencyKey | null;
    readonly resume: Resume;
    /** How many the operation has with every fragment written out; set before it is executed. */
    selections: number;
    /** The position behind which the subscription of this operation began; null for one from now on. */
    after: number | null;
    /** That of the operation, when it is known. */
    cost: number;
    /** Whether it came by a method that changes nothing. */
    readonly isSafe: boolean;
  }
}

export type { GraphqlContext };

/** For a request of HTTP, or for an operation on a connection that stays open, which has an id of its own. */
export function contextOf(
  { principal, id, subject }: Pick<FastifyRequest, 'principal' | 'id' | 'subject'>,
  {
    resume = FROM_NOW_ON,
    isSafe = false,
    keyHeader = null as string | null,
    isGone = (): boolean => false,
  } = {},
): GraphqlContext {
  return {
    principal,
    // Root fields get that of their own policy.
    reach: RowAccess.NOTHING,
    requestId: id,
    asker: askerOf(subject, id, isGone),
    origin: originOf(principal, id),
    precondition: Precondition.NONE,
    subject,
    patch: null,
    sentBack: null,
    stream: null,
    position: null,
    loaders: new Map(),
    keyHeader,
    idempotencyKey: null,
    resume,
    selections: 0,
    after: null,
    cost: 0,
    isSafe,
  };
}
