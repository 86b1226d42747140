import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Step } from './steps.js';

/**
 * Makes one hook of Fastify from several steps. Fastify goes from hook to hook by a callback, and a request has twenty
 * steps. Most of them decide at once, so this hook only calls one after the other.
 */
export function hookOf(steps: readonly Step[]): onRequestHookHandler {
  return (request, reply, done) => {
    const goOn = (): void => {
      if (!reply.sent) done();
    };
    // If a step throws at once, Fastify catches the error.
    const pending = run(steps, 0, request, reply);
    if (pending === undefined) goOn();
    else pending.then(goOn, done);
  };
}

/** Runs the steps from an index on, until one of them sends an answer. Returns a promise only if a step did so. */
function run(
  steps: readonly Step[],
  from: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  for (let index = from; index < steps.length; index += 1) {
    const pending = (steps[index] as Step)(request, reply);
    if (pending !== undefined) {
      return pending.then(() => (reply.sent ? undefined : run(steps, index + 1, request, reply)));
    }
    if (reply.sent) return undefined;
  }
  return undefined;
}
