import type { FastifyReply, onRequestHookHandler } from 'fastify';
import type { Step } from './steps.js';
import type { AnyRequest } from '../contract/any-request.js';

/**
 * Makes one hook of Fastify from several steps. A request has about twenty steps. With a hook for each step, Fastify
 * would need a callback for each step. Most steps decide at once, so this hook only calls one step after the other.
 */
export function hookOf(steps: readonly Step[]): onRequestHookHandler {
  return (request, reply, done) => {
    const goOn = (): void => {
      if (!reply.sent) done();
    };
    // If a step throws at once, Fastify catches the error.
    const pending = runSteps(steps, request, reply);
    if (pending === undefined) goOn();
    else pending.then(goOn, done);
  };
}

/**
 * Runs the steps from an index on, until one of them sends an answer. Returns a promise only if a step returned one.
 */
export function runSteps(
  steps: readonly Step[],
  request: AnyRequest,
  reply: FastifyReply,
  from = 0,
): Promise<void> | undefined {
  for (let index = from; index < steps.length; index += 1) {
    const pending = (steps[index] as Step)(request, reply);
    if (pending !== undefined) {
      return pending.then(() => (reply.sent ? undefined : runSteps(steps, request, reply, index + 1)));
    }
    if (reply.sent) return undefined;
  }
  return undefined;
}
