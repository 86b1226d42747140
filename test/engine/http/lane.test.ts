import { Controller, Injectable, Module, Scope, UseInterceptors, type Type } from '@nestjs/common';
import {
  APP_FILTER,
  APP_INTERCEPTOR,
  ApplicationConfig,
  DiscoveryModule,
  DiscoveryService,
  NestFactory,
} from '@nestjs/core';
import { expect, it } from 'vitest';
import { Operation } from '../../../src/engine/contract/operation.js';
import { ErrorFilter } from '../../../src/engine/http/error.filter.js';
import { Lanes } from '../../../src/engine/http/lane.js';
import { OPERATIONS } from '../../../src/generated/operations.js';

@Injectable()
class Interceptor {
  intercept(_context: unknown, next: { handle(): unknown }): unknown {
    return next.handle();
  }
}

/** Makes the handler of an operation, as at the start of an application with this controller. */
async function handlerIn(controller: Type<object>, providers: readonly object[] = []): Promise<unknown> {
  @Module({
    imports: [DiscoveryModule],
    controllers: [controller],
    providers: [{ provide: APP_FILTER, useClass: ErrorFilter }, ...(providers as [])],
  })
  class Application {}
  const app = await NestFactory.createApplicationContext(Application, { logger: false });
  const lanes = new Lanes(app.get(ApplicationConfig), app.get(DiscoveryService));
  return lanes.handlerOf(OPERATIONS.getLiveness, '/health/live', (_request, _reply, result) => result);
}

@Controller()
class Plain {
  @Operation('getLiveness')
  async getLiveness() {
    return { status: 'ok' } as const;
  }
}

@Controller()
@UseInterceptors(Interceptor)
class Intercepted extends Plain {}

@Controller({ scope: Scope.REQUEST })
class EachRequest extends Plain {}

@Controller()
class Empty {}

it('accepts a controller of operations', async () => {
  expect(await handlerIn(Plain)).toBeTypeOf('function');
});

it.each<[string, Type<object>, RegExp]>([
  ['with an interceptor', Intercepted, /^Intercepted uses @UseInterceptors/],
  ['that is made for each request', EachRequest, /^EachRequest is made for each request/],
  ['without the operation', Empty, /^No controller has a method for getLiveness/],
])('refuses at the start a controller %s', async (_what, controller, message) => {
  await expect(handlerIn(controller)).rejects.toThrow(message);
});

it('refuses a global interceptor at the start, because no handler would call the interceptor', async () => {
  const global = { provide: APP_INTERCEPTOR, useClass: Interceptor };
  await expect(handlerIn(Plain, [global])).rejects.toThrow('no global interceptor');
});
