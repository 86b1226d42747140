import type { ApplicationConfig } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { GraphQLFieldResolver } from 'graphql';
import type { GraphqlContext } from './context.js';

export type Resolve = GraphQLFieldResolver<unknown, GraphqlContext>;

/** Whether the global guards allow a field at once. They may also throw. */
export type Guards = (...input: Parameters<Resolve>) => boolean;

/** The metadata of `@UseGuards`, `@UseInterceptors`, `@UsePipes` and `@UseFilters`. */
const ENHANCERS = ['__guards__', '__interceptors__', '__pipes__', '__exceptionFilters__'];

/** The global guards for a method; null if Nest has more to do than to run the global guards. */
export function guardsOf(config: ApplicationConfig, instance: object, method: Resolve): Guards | null {
  const isEnhanced = [method, instance.constructor].some((place) =>
    ENHANCERS.some((name) => Reflect.hasMetadata(name, place)),
  );
  const global = [
    ...config.getGlobalInterceptors(),
    ...config.getGlobalPipes(),
    ...config.getGlobalRequestGuards(),
    ...config.getGlobalRequestInterceptors(),
    ...config.getGlobalRequestPipes(),
  ];
  if (isEnhanced || global.length > 0) return null;
  const guards = config.getGlobalGuards();
  return (...input) => {
    const execution = new ExecutionContextHost(input, instance.constructor as new () => object, method);
    execution.setType('graphql');
    return guards.every((guard) => guard.canActivate(execution) === true);
  };
}

/**
 * Makes a resolver for a field of `Query` that runs the global guards, and then the method. Nest itself would make a
 * dozen promises for each call. If a guard does not allow the call at once, Nest's own resolver decides.
 *
 * @param nest Nest's own resolver of the field
 */
export function directQuery(guards: Guards, instance: object, method: Resolve, nest: Resolve): Resolve {
  return (root, args, context, info) =>
    guards(root, args, context, info)
      ? method.call(instance, root, args, context, info)
      : nest(root, args, context, info);
}
