import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import type { Context, Precondition } from '../contract/context.js';
import { entityTag, preconditionOf } from '../contract/entity-tag.js';
import { validate } from '../contract/validate.js';
import type { Act, Steps, Transaction } from '../database/sql.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { bodyOf } from '../error.filter.js';
import { found, MOST_FAULTS, StoreError, ValidationFailed, type Fault } from '../errors.js';
import {
  DeleteProductHeaders,
  DeleteProductPath,
  ProductCreate,
  ProductUpdate,
  type ProductBatch,
  type ProductBatchItem,
} from '../generated/dto.js';
import type { ProductBatchResult } from '../generated/schemas.js';
import { problemOf, report } from '../problem.js';
import type { Product } from './product.entity.js';
import { ProductV1 } from './product.representation.js';
import { ProductsRepository } from './products.repository.js';

type Plain = Readonly<Record<string, unknown>>;

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
    private readonly representation: ProductV1,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Does the items in their order, in one transaction. All or nothing; or, where each stands for itself, all that can
   * be done.
   *
   * @throws ValidationFailed and the errors of the first item that cannot be done, if all or nothing is wanted
   */
  async run(
    { atomic, items }: ProductBatch,
    { origin, requestId }: Context,
    path: string,
  ): Promise<readonly ProductBatchResult[]> {
    const jobs = items.map((item, index) => this.understood(item, index));
    const faults = jobs.flatMap((job) => (job instanceof ValidationFailed ? job.faults : []));
    if (atomic && faults.length > 0) throw new ValidationFailed(faults.slice(0, MOST_FAULTS));
    const failed = (op: ProductBatchItem['op'], error: StoreError): ProductBatchResult => {
      const problem = problemOf(error);
      report(problem, requestId);
      return { op, status: problem.status, error: bodyOf(problem, path, requestId) as never };
    };
    const doing = function* (this: ProductsBatch, tx: Transaction): Steps<readonly ProductBatchResult[]> {
      yield* this.products.keepAll(jobs.flatMap((job) => ('id' in job && job.id !== null ? [job.id] : [])));
      const results: ProductBatchResult[] = [];
      for (const [index, job] of jobs.entries()) {
        try {
          if (job instanceof ValidationFailed) throw job;
          results.push(yield* this.done(tx, job));
        } catch (error) {
          // A failed statement ends the act.
          if (!(error instanceof StoreError)) throw error;
          const placed = inItem(error, index);
          if (atomic) throw placed;
          results.push(failed((items[index] as ProductBatchItem).op, placed));
        }
      }
      return results;
    };
    return this.unitOfWork.run((tx) => doing.call(this, tx), { origin });
  }

  private *done(tx: Transaction, { op, id, act }: Job): Steps<ProductBatchResult> {
    const product = found(yield* act(tx), 'product', id ?? 0);
    if (op === 'delete') return { op, status: 204 };
    return {
      op,
      status: op === 'create' ? 201 : 200,
      etag: entityTag(product.version, 'v1'),
      product: this.representation.present(product),
    };
  }

  private understood(item: ProductBatchItem, index: number): Job | ValidationFailed {
    const { op, if_match: tags, ...members } = item as ProductBatchItem & Plain;
    const faults: Fault[] = [];
    const take = <T extends object>(dto: new () => T, plain: Plain): T => {
      const result = validate(dto, plain, 'body');
      if ('value' in result) return result.value;
      faults.push(...result.faults);
      return new dto();
    };
    const precondition = this.preconditionOf(op, tags, take);
    const job = (): Job => {
      if (op === 'create') {
        const { in_stock: inStock, name, price } = take(ProductCreate, members);
        const product = { name, price, inStock, description: null };
        return { op, id: null, act: faults.length > 0 ? nothing : this.products.creation(product) };
      }
      const { id } = take(DeleteProductPath, op === 'delete' ? members : { id: members['id'] });
      if (op === 'delete') return { op, id, act: this.products.removal(id, precondition) };
      const { in_stock: inStock, name, price } = take(ProductUpdate, members);
      const act =
        faults.length > 0 ? nothing : this.products.change(id, { name, price, inStock }, precondition);
      return { op, id, act };
    };
    try {
      const understood = job();
      return faults.length === 0
        ? understood
        : new ValidationFailed(faults.map((each) => within(each, index)));
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      return new ValidationFailed(error.faults.map((each) => within(each, index)));
    }
  }

  private preconditionOf(
    op: ProductBatchItem['op'],
    tags: unknown,
    take: <T extends object>(dto: new () => T, plain: Plain) => T,
  ): Precondition {
    const name = op === 'create' ? 'if_match' : 'If-Match';
    if (tags !== undefined) take(DeleteProductHeaders, { [name]: tags });
    const headers = typeof tags === 'string' ? { 'if-match': tags } : {};
    return preconditionOf(headers, this.config.requireIfMatch);
  }
}

// oxlint-disable-next-line require-yield -- an act like others
function* nothing(): Steps<null> {
  return null;
}

function within({ pointer = '#', ...fault }: Fault, index: number): Fault {
  return { ...fault, pointer: `#/items/${index}${pointer.slice(1).replace('If-Match', 'if_match')}` };
}

/** The same error, with the item that it is about. */
function inItem(error: StoreError, index: number): StoreError {
  if (error instanceof ValidationFailed) return error;
  return Object.assign(error, {
    faults: [{ pointer: `#/items/${index}`, code: error.code, detail: error.message }],
  });
}
