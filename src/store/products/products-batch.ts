import { Injectable } from '@nestjs/common';
import { HttpConfig } from '../../engine/config/slices.js';
import { Precondition, type Context } from '../../engine/contract/context.js';
import { entityTag, preconditionOf } from '../../engine/contract/entity-tag.js';
import type { Steps } from '../../engine/database/sql.js';
import type { Act, Transaction } from '../../engine/database/transaction.js';
import { UnitOfWork } from '../../engine/database/unit-of-work.js';
import { bodyOf } from '../../engine/http/error.filter.js';
import { found, MOST_FAULTS, StoreError, ValidationFailed, type Fault } from '../../engine/errors/errors.js';
import type { ProductBatch } from '../../generated/dto.js';
import type { ProductBatchItem, ProductBatchResult } from '../../generated/schemas.js';
import { problemOf, report } from '../../engine/contract/problem.js';
import type { Product } from './product.entity.js';
import type { BatchForm, Plain } from './products-batch-forms.js';
import { ProductsRepository } from './products.repository.js';

/** The result of one item, with the product in the form of one version of the API. */
type Result<P> = Omit<ProductBatchResult, 'product'> & { readonly product?: P };

/** One item after validation, with the act that carries it out. */
interface Job {
  readonly op: ProductBatchItem['op'];
  readonly id: number | null;
  readonly act: Act<Product | null>;
}

/** Many changes of products as one act. */
@Injectable()
export class ProductsBatch {
  constructor(
    private readonly products: ProductsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: HttpConfig,
  ) {}

  /**
   * Carries out the items in their order, in one transaction. If the batch is atomic, either all items are carried out
   * or none. Otherwise an item that fails changes nothing, its result has the error, and the other items are carried
   * out.
   *
   * @throws ValidationFailed with at most `MOST_FAULTS` faults of all items, if the batch is atomic or an item has no
   *   `op`, or an unknown one
   * @throws StoreError of the first item that cannot be carried out, if the batch is atomic
   */
  async run<P>(
    { atomic, items }: ProductBatch,
    { origin, requestId, trace }: Context,
    form: BatchForm<P>,
  ): Promise<readonly Result<P>[]> {
    const jobs = items.map((item, index) => this.understood(item, index, form));
    const faults = jobs.flatMap((job) => (job instanceof ValidationFailed ? job.faults : []));
    // The result of an item names its `op`. A missing or unknown `op` cannot be named, so the batch fails as a whole.
    const isWhole = atomic || items.some((item) => form.kindFaults(item).length > 0);
    if (isWhole && faults.length > 0) throw new ValidationFailed(faults.slice(0, MOST_FAULTS));
    const failed = (op: ProductBatchItem['op'], error: StoreError): Result<P> => {
      const problem = problemOf(error);
      report(problem, requestId);
      return {
        op,
        status: problem.status,
        error: bodyOf(problem, form.path, { requestId, trace }) as never,
      };
    };
    const doing = function* (this: ProductsBatch, tx: Transaction): Steps<readonly Result<P>[]> {
      yield* this.products.lockAll(jobs.flatMap((job) => ('id' in job && job.id !== null ? [job.id] : [])));
      const results: Result<P>[] = [];
      for (const [index, job] of jobs.entries()) {
        try {
          if (job instanceof ValidationFailed) throw job;
          results.push(yield* this.done(tx, job, form));
        } catch (error) {
          // An error that is not a `StoreError` may come from a failed statement. After a failed statement the
          // transaction cannot continue, so the whole batch fails.
          if (!(error instanceof StoreError)) throw error;
          const placed = error === job ? error : inItem(error, index);
          if (atomic) throw placed;
          results.push(failed((items[index] as ProductBatchItem).op, placed));
        }
      }
      return results;
    };
    return this.unitOfWork.run((tx) => doing.call(this, tx), { origin });
  }

  private *done<P>(tx: Transaction, { op, id, act }: Job, form: BatchForm<P>): Steps<Result<P>> {
    const product = found(yield* act(tx), 'product', id ?? 0);
    if (op === 'delete') return { op, status: 204 };
    return {
      op,
      status: op === 'create' ? 201 : 200,
      etag: entityTag(product, form.version),
      product: form.present(product),
    };
  }

  private understood<P>(item: Plain, index: number, form: BatchForm<P>): Job | ValidationFailed {
    try {
      return this.jobOf(item, form);
    } catch (error) {
      if (error instanceof ValidationFailed) return ofItem(error, index);
      throw error;
    }
  }

  private jobOf<P>(plain: Plain, form: BatchForm<P>): Job {
    const item = form.itemIn(plain);
    const { op } = item;
    if (op === 'create') return { op, id: null, act: this.products.creation(item.product) };
    const { id } = item;
    const precondition = this.preconditionOf(item.tags);
    if (op === 'update') return { op, id, act: this.products.change(id, item.changes, precondition) };
    return { op, id, act: this.products.removal(id, precondition) };
  }

  private preconditionOf(tags: string | undefined): Precondition {
    return preconditionOf(tags === undefined ? {} : { 'if-match': tags }, this.config.requireIfMatch);
  }
}

/** The same faults, with pointers that begin at the root of the request. */
function ofItem({ faults }: ValidationFailed, index: number): ValidationFailed {
  const within = ({ pointer = '#', ...fault }: Fault): Fault => ({
    ...fault,
    pointer: `#/items/${index}${pointer.slice(1)}`,
  });
  return new ValidationFailed(faults.map(within));
}

/** The same error, with a pointer to its item. */
function inItem(error: StoreError, index: number): StoreError {
  if (error instanceof ValidationFailed) return ofItem(error, index);
  return Object.assign(error, {
    faults: [{ pointer: `#/items/${index}`, code: error.code, detail: error.message }],
  });
}
