import {
  ForbiddenException,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';
import type { ApplicationConfig, DiscoveryService } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { FastifyReply, RouteHandlerMethod } from 'fastify';
import type { Answer } from '../contract/answer-plan.js';
import { LiveAnswer } from '../contract/live-answer.js';
import { operationOf } from '../contract/operation.js';
import { SpanForm } from '../tracing/span.js';
import type { Operation } from '../../generated/operations.js';
import { requireKnown, requireKnownGlobals } from './lane-enhancers.js';
import type { AnyRequest } from '../contract/any-request.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

type Call = (request: AnyRequest, reply: FastifyReply) => unknown;

interface Bound {
  readonly controller: object;
  readonly method: (request: AnyRequest) => unknown;
}

/**
 * Makes the handlers of the operations. Such a handler does what the router of Nest does for a method of a controller:
 * it asks the global guards, calls the method, and hands each error to the global filter. It waits only if a guard or
 * the method returns a promise. The router of Nest makes about ten promises for each request (ADR 42).
 */
export class Lanes {
  /** The method of the filter that answers errors. The first handler finds it, and the other handlers use it too. */
  private answerError: ExceptionFilter['catch'] | undefined;
  private controllers: ReturnType<DiscoveryService['getControllers']> | undefined;
  /** The methods that were found, by operation. An operation has several routes. */
  private readonly found = new Map<string, Bound>();

  constructor(
    private readonly config: ApplicationConfig,
    private readonly discovery: DiscoveryService,
  ) {}

  /**
   * Makes the function that asks the guards and calls the method of an operation. It returns a promise only if a guard
   * or the method returned one.
   *
   * @throws Error at start when no controller has the method, or when `requireKnown` refuses the controller
   */
  callOf(row: Operation): Call {
    const bound = this.find(row);
    const { controller, method } = bound;
    const guards = this.config.getGlobalGuards();
    const form = new SpanForm(row.id);
    const handle = (request: AnyRequest): unknown =>
      request.span === null
        ? method.call(controller, request)
        : request.span.operate(form, () => method.call(controller, request));
    return (request, reply) => {
      const asked = askGuards(guards, contextOf(bound, request, reply));
      return asked === undefined ? handle(request) : asked.then(() => handle(request));
    };
  }

  /**
   * @param address in the router's syntax, such as `/api/v1/products/:id`
   * @param answer turns the result of the method into the body
   * @throws Error at start for the same reasons as `callOf`, or when `requireKnownGlobals` refuses the configuration
   */
  handlerOf(row: Operation, address: string, answer: Answer): RouteHandlerMethod {
    const bound = this.find(row);
    const call = this.callOf(row);
    const answerError = (this.answerError ??= requireKnownGlobals(this.config));
    const names = [...address.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
    const { status } = row.answer;
    const finish = (result: unknown, request: AnyRequest, reply: FastifyReply): void | Promise<void> => {
      if (status !== 200) reply.code(status);
      return send(result, answer, request, reply);
    };
    const fail = (error: unknown, request: AnyRequest, reply: FastifyReply): void => {
      try {
        answerError(error, contextOf(bound, request, reply));
      } catch {
        // The answer cannot be written. The client sees that the connection breaks off.
        reply.raw.destroy();
      }
    };
    return (request, reply) => {
      // The router also accepts `/products/` for `/products/:id`, with an empty parameter.
      for (const name of names) {
        if ((request.params as Record<string, string>)[name] === '') return reply.callNotFound();
      }
      try {
        const result = call(request, reply);
        const pending =
          result instanceof Promise
            ? result.then((value) => finish(value, request, reply))
            : finish(result, request, reply);
        pending?.catch((error: unknown) => fail(error, request, reply));
      } catch (error) {
        fail(error, request, reply);
      }
      // With undefined, Fastify does not send an answer and does not wait. This handler sends the answer itself.
      return undefined;
    };
  }

  private find(row: Operation): Bound {
    const known = this.found.get(row.id);
    if (known) return known;
    this.controllers ??= this.discovery.getControllers();
    for (const wrapper of this.controllers) {
      const controller = wrapper.instance as Record<string, unknown> | null;
      const method = controller?.[row.id];
      if (controller === null || typeof method !== 'function' || operationOf(method) !== row.id) continue;
      requireKnown(wrapper, method);
      const bound: Bound = { controller, method: method as Bound['method'] };
      this.found.set(row.id, bound);
      return bound;
    }
    throw new Error(`No controller has a method for ${row.id}.`);
  }
}

function contextOf(
  { controller, method }: Bound,
  request: AnyRequest,
  reply: FastifyReply,
): ExecutionContextHost {
  return new ExecutionContextHost([request, reply], controller.constructor as never, method);
}

/** @returns a promise only if a guard returned one */
function askGuards(
  guards: readonly CanActivate[],
  context: ExecutionContext,
  from = 0,
): Promise<void> | undefined {
  for (let index = from; index < guards.length; index += 1) {
    const allowed = (guards[index] as CanActivate).canActivate(context);
    if (typeof allowed !== 'boolean') return decided(allowed as Promise<boolean>, guards, context, index + 1);
    if (!allowed) throw new ForbiddenException();
  }
  return undefined;
}

async function decided(
  allowed: Promise<boolean>,
  guards: readonly CanActivate[],
  context: ExecutionContext,
  next: number,
): Promise<void> {
  if (!(await allowed)) throw new ForbiddenException();
  await askGuards(guards, context, next);
}

/** Sends the result of a method. A result without a body is undefined, and a finished text is a string. */
function send(
  result: unknown,
  answer: Answer,
  request: AnyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  if (result === undefined || typeof result === 'string') return void reply.send(result);
  reply.type(JSON_TYPE);
  if (result instanceof LiveAnswer) return result.begin(request, reply);
  const body = answer(request, reply, result);
  if (body instanceof Promise) return body.then((text) => void reply.send(text));
  reply.send(body);
}
