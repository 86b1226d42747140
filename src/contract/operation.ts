import { applyDecorators, HttpCode, Req, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { operationPolicy, type Policy } from '../auth/policy.js';
import { NotFound } from '../errors.js';
import type { Contract } from '../generated/contract.js';
import { OPERATIONS, type OperationId } from '../generated/operations.js';
import type { Context } from './context.js';
import { inputReader } from './input.js';

/** What controllers implement, the parts that are theirs: `implements Pick<Operations, 'getProduct'>`. */
export type Operations = Contract<Context>;

const OPERATION = 'contract:operation';

/**
 * Binds a method to the operation of the same name: route, access, validation, status and representation all come
 * from its row of the contract. The method gets what the contract says, validated: path, query, body, as far as the
 * operation has them, and the context.
 */
export function Operation<K extends OperationId>(id: K) {
  return <F extends Operations[K]>(target: object, key: K, descriptor: TypedPropertyDescriptor<F>): void => {
    const row = OPERATIONS[id];
    const read = inputReader(row);
    const policy = operationPolicy(row);
    const statedOwner = ownerReader(row, policy);
    const handler = descriptor.value as (...input: unknown[]) => Promise<unknown>;
    descriptor.value = function bound(this: unknown, request: FastifyRequest) {
      const reach = policy.reachOf(request.principal);
      const input = read(request, reach);
      const owner = statedOwner(input);
      if (!policy.isThere(reach, owner)) throw new NotFound(`There is no user with the id ${String(owner)}.`);
      return handler.apply(this, input);
    } as unknown as F;
    Req()(target, key, 0);
    applyDecorators(
      SetMetadata(OPERATION, id),
      RouteConfig({ operation: id }),
      HttpCode(row.answer.status),
      RequestMapping({ method: RequestMethod[row.method], path: [...row.paths] }),
    )(target, key, descriptor);
  };
}

/** Finds what the request says of the owner, in the arguments of the handler. */
function ownerReader(
  row: (typeof OPERATIONS)[OperationId],
  { owner }: Policy,
): (input: unknown[]) => unknown {
  const places = (['path', 'query', 'body'] as const).filter(
    (place) => row[place] !== null && (place !== 'query' || row.query?.isHanded),
  );
  const index = places.findIndex((place) => place === owner?.place);
  if (owner === null || index === -1) return () => undefined;
  return (input) => (input[index] as Readonly<Record<string, unknown>>)[owner.name];
}

/** The operation that a controller method is bound to. */
export function operationOf(handler: object): OperationId | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationId | undefined;
}
