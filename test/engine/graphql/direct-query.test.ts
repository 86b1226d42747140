import { UseGuards, UseInterceptors, type CanActivate } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import type { GraphQLResolveInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { GraphqlContext } from '../../../src/engine/graphql/context.js';
import { directQuery, guardsOf, type Resolve } from '../../../src/engine/graphql/direct-query.js';

class Plain {
  readonly word = 'direct';
  field(): string {
    return this.word;
  }
}

class WithInterceptor extends Plain {
  @UseInterceptors({ intercept: (_context: unknown, next: { handle: () => never }) => next.handle() })
  override field(): string {
    return super.field();
  }
}

@UseGuards({ canActivate: () => true })
class WithGuard extends Plain {}

function config(...guards: CanActivate['canActivate'][]): ApplicationConfig {
  const made = new ApplicationConfig();
  for (const canActivate of guards) made.addGlobalGuard({ canActivate });
  return made;
}

const queryOf = (application: ApplicationConfig, instance: Plain) => {
  const method = Reflect.get(instance, 'field') as Resolve;
  const guards = guardsOf(application, instance, method);
  return guards && directQuery(guards, instance, method, () => 'by Nest');
};
const callOf = (query: Resolve | null) =>
  query?.(undefined, {}, {} as GraphqlContext, {} as GraphQLResolveInfo);

describe('a field of Query', () => {
  it('is resolved without Nest if all global guards allow it', () => {
    const seen: unknown[] = [];
    const guard: CanActivate['canActivate'] = (execution) => {
      seen.push(execution.getType(), execution.getClass(), execution.getArgs().length);
      return true;
    };
    expect(callOf(queryOf(config(guard, guard), new Plain()))).toBe('direct');
    expect(seen).toEqual(['graphql', Plain, 4, 'graphql', Plain, 4]);
  });

  it.each<[string, CanActivate['canActivate']]>([
    ['refuses it', () => false],
    ['answers with a promise', () => Promise.resolve(true)],
  ])('is left to Nest if a guard %s', (_name, guard) => {
    expect(
      callOf(
        queryOf(
          config(() => true, guard),
          new Plain(),
        ),
      ),
    ).toBe('by Nest');
  });

  it('fails with the error of a guard', () => {
    const query = queryOf(
      config(() => {
        throw new RangeError('no');
      }),
      new Plain(),
    );
    expect(() => callOf(query)).toThrow(RangeError);
  });

  it('is left to Nest if a guard or an interceptor is declared on the method or on the class', () => {
    expect(queryOf(config(), new WithInterceptor())).toBeNull();
    expect(queryOf(config(), new WithGuard())).toBeNull();
  });

  it('is left to Nest if the application has global interceptors or pipes', () => {
    const [withPipe, withInterceptor] = [config(), config()];
    withPipe.addGlobalPipe({ transform: (value: unknown) => value });
    withInterceptor.addGlobalInterceptor({ intercept: (_context, next) => next.handle() });
    expect(queryOf(withPipe, new Plain())).toBeNull();
    expect(queryOf(withInterceptor, new Plain())).toBeNull();
  });
});
