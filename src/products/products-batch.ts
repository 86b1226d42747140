import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { Precondition, type Context } from '../contract/context.js';
import { entityTag, preconditionOf } from '../contract/entity-tag.js';
import type { Act, Steps, Transaction } from '../database/sql.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { bodyOf } from '../error.filter.js';
import { found, MOST_FAULTS, StoreError, ValidationFailed, type Fault } from '../errors.js';
import {
  DeleteProductHeaders,
  DeleteProductPath,
  type ProductBatch,
  type ProductBatchItem,
} from '../generated/dto.js';
import type { ProductBatchResult } from '../generated/schemas.js';
import { problemOf, report } from '../problem.js';
import type { Product } from './product.entity.js';
import { accepted, type BatchForm, type Plain } from './products-batch-forms.js';
import { ProductsRepository } from './products.repository.js';

/** What became of an item, with the product as a version shows it. */
type Result<P> = Omit<ProductBatchResult, 'product'> & { readonly product?: P };

/** One item, understood: what it does within the act. */
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
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Does the items in their order, in one transaction. All or nothing; or, where each stands for itself, all that can
   * be done.
   *
   * @throws ValidationFailed and the errors of the first item that cannot be done, if all or nothing is wanted
   */
  async run<P>(
    { atomic, items }: ProductBatch,
    { origin, requestId }: Context,
    form: BatchForm<P>,
  ): Promise<readonly Result<P>[]> {
    const jobs = items.map((item, index) => this.understood(item, index, form));
    const faults = jobs.flatMap((job) => (job instanceof ValidationFailed ? job.faults : []));
    if (atomic && faults.length > 0) throw new ValidationFailed(faults.slice(0, MOST_FAULTS));
    const failed = (op: ProductBatchItem['op'], error: StoreError): Result<P> => {
      const problem = problemOf(error);
      report(problem, requestId);
      return { op, status: problem.status, error: bodyOf(problem, form.path, requestId) as never };
    };
    const doing = function* (this: ProductsBatch, tx: Transaction): Steps<readonly Result<P>[]> {
      yield* this.products.keepAll(jobs.flatMap((job) => ('id' in job && job.id !== null ? [job.id] : [])));
      const results: Result<P>[] = [];
      for (const [index, job] of jobs.entries()) {
        try {
          if (job instanceof ValidationFailed) throw job;
          results.push(yield* this.done(tx, job, form));
        } catch (error) {
          // A failed statement ends the act.
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
      etag: entityTag(product.version, form.version),
      product: form.present(product),
    };
  }

  /** All that is wrong with it at once. */
  private understood<P>(item: ProductBatchItem, index: number, form: BatchForm<P>): Job | ValidationFailed {
    const { op, if_match: tags, ...members } = item as ProductBatchItem & Plain;
    const faults: Fault[] = [];
    const attempt = <T>(read: () => T): T | undefined => {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof ValidationFailed)) throw error;
        const places = new Set(faults.map(({ pointer }) => pointer));
        const more = error.faults.map((each) => within(each, index));
        faults.push(...more.filter(({ pointer }) => !places.has(pointer)));
        return undefined;
      }
    };
    const precondition = attempt(() => this.preconditionOf(op, tags)) ?? Precondition.NONE;
    const named = op === 'delete' ? members : { id: members['id'] };
    const id = op === 'create' ? null : (attempt(() => accepted(DeleteProductPath, named).id) ?? 0);
    const act = attempt((): Act<Product | null> => {
      if (id === null) return this.products.creation(form.creationIn(members));
      if (op === 'delete') return this.products.removal(id, precondition);
      return this.products.change(id, form.changesIn(members), precondition);
    });
    return act === undefined || faults.length > 0 ? new ValidationFailed(faults) : { op, id, act };
  }

  private preconditionOf(op: ProductBatchItem['op'], tags: unknown): Precondition {
    const name = op === 'create' ? 'if_match' : 'If-Match';
    if (tags !== undefined) accepted(DeleteProductHeaders, { [name]: tags });
    const headers = typeof tags === 'string' ? { 'if-match': tags } : {};
    return preconditionOf(headers, this.config.requireIfMatch);
  }
}

function within({ pointer = '#', ...fault }: Fault, index: number): Fault {
  return { ...fault, pointer: `#/items/${index}${pointer.slice(1).replace('If-Match', 'if_match')}` };
}

/** The same error, with the item that it is about. */
function inItem(error: StoreError, index: number): StoreError {
  if (error instanceof ValidationFailed)
    return new ValidationFailed(error.faults.map((each) => within(each, index)));
  return Object.assign(error, {
    faults: [{ pointer: `#/items/${index}`, code: error.code, detail: error.message }],
  });
}
