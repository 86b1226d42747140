import { applyDecorators, HttpCode, Req, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { operationPolicy, type Policy } from '../access/policy.js';
import { NotFound } from '../errors/errors.js';
import type { Contract } from '../../generated/contract.js';
import { OPERATIONS, type OperationId } from '../../generated/operations.js';
import type { Context } from './context.js';
import { contextFor } from './context-for.js';
import { inputReader } from './input.js';
import type { AnyRequest } from './any-request.js';

/**
 * The interface of controllers. Each controller implements a part of it: `implements Pick<Operations, 'getProduct'>`.
 */
export type Operations = Contract<Context>;

type Row = (typeof OPERATIONS)[OperationId];

const OPERATION = 'contract:operation';

type Handler = (...input: unknown[]) => unknown;

/**
 * Binds a method to the operation of the same name. Route, access, validation, status and representation come from the
 * row of the operation in `OPERATIONS`. The method gets the validated path, query and body, if the operation has them,
 * and the context. It does not get a query that only chooses the form of the answer. If the method returns null, a row
 * of the path does not exist, and the answer is 404.
 *
 * If an operation of another version does the same (`x-same-as`), a method for that operation is added too, and calls
 * the same handler.
 */
export function Operation<K extends keyof Operations>(id: K) {
  return <F extends Operations[K]>(target: object, _key: K, descriptor: TypedPropertyDescriptor<F>): void => {
    const handler = descriptor.value as Handler;
    const same = Object.values(OPERATIONS).filter(({ sameAs }) => sameAs === id);
    for (const row of same) {
      const beside = { ...descriptor, value: bound(row, handler) };
      Object.defineProperty(target, row.id, beside);
      bind(row, target, beside);
    }
    descriptor.value = bound(OPERATIONS[id], handler) as unknown as F;
    bind(OPERATIONS[id], target, descriptor);
  };
}

function bind(row: Row, target: object, descriptor: PropertyDescriptor): void {
  Req()(target, row.id, 0);
  applyDecorators(
    SetMetadata(OPERATION, row.id),
    RouteConfig({ operation: row.id }),
    HttpCode(row.answer.status),
    RequestMapping({ method: RequestMethod[row.method], path: [...row.paths] }),
  )(target, row.id, descriptor);
}

/** The method that takes a request: it checks access, reads the input, makes the context and calls the handler. */
function bound(row: Row, handler: Handler): (request: AnyRequest) => unknown {
  const read = inputReader(row);
  const makeContext = contextFor(row);
  const policy = operationPolicy(row);
  const statedOwner = ownerReader(row, policy);
  const found = foundBy(row);
  return function operation(this: unknown, request) {
    request.server.loopGuard.mark(request);
    const reach = policy.rowAccessOf(request.principal);
    const input = read(request);
    const context = makeContext(request, reach, input);
    const owner = statedOwner(input.values);
    if (!policy.isThere(reach, owner)) throw new NotFound(`There is no user with the id ${String(owner)}.`);
    return found(handler.apply(this, [...input.values, context]), input.values);
  };
}

/**
 * Checks the result of a handler: null means that a row of the path does not exist. If the response has no body, the
 * result is not sent.
 */
function foundBy({ ids, answer }: Row): (result: unknown, values: readonly unknown[]) => unknown {
  if (ids.length === 0) return (result) => result;
  const isEmpty = answer.shape === 'none';
  const check = (result: unknown, [path]: readonly unknown[]): unknown => {
    if (result === null) {
      const given = path as Readonly<Record<string, unknown>>;
      const named = ids.map(({ name, what }) => `no ${what} with the id ${String(given[name])}`);
      throw new NotFound(`There is ${named.join(', or ')}.`);
    }
    return isEmpty ? undefined : result;
  };
  return (result, values) =>
    result instanceof Promise ? result.then((row: unknown) => check(row, values)) : check(result, values);
}

/** Finds the owner that the request names, in the arguments of the handler. */
function ownerReader(row: Row, { owner }: Policy): (values: readonly unknown[]) => unknown {
  const places = (['path', 'query', 'body'] as const).filter(
    (place) => row[place] !== null && (place !== 'query' || row.query?.isHanded),
  );
  const index = places.findIndex((place) => place === owner?.place);
  if (owner === null || index === -1) return () => undefined;
  return (values) => (values[index] as Readonly<Record<string, unknown>>)[owner.name];
}

/** The operation that a controller method is bound to. */
export function operationOf(handler: object): OperationId | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationId | undefined;
}
