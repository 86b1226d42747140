import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { hookOf } from '../../../src/engine/http/hook.js';
import type { Step } from '../../../src/engine/http/steps.js';

let server: FastifyInstance | undefined;
afterEach(() => server?.close());

/** The answer of a server with these steps, and the numbers of the steps that ran. */
async function answerAfter(
  ...steps: readonly Step[]
): Promise<{ status: number; body: string; ran: string }> {
  const ran: string[] = [];
  const noting = steps.map((step, index): Step => (request, reply) => {
    ran.push(String(index));
    return step(request, reply);
  });
  server = fastify();
  server.addHook('onRequest', hookOf(noting));
  server.get('/', () => 'handled');
  const { statusCode: status, body } = await server.inject('/');
  return { status, body, ran: ran.join('') };
}

const goOn: Step = () => undefined;
const goOnLater: Step = () => Promise.resolve();

it('runs all steps in order, both synchronous and asynchronous steps', async () => {
  expect(await answerAfter(goOn, goOnLater, goOn, goOnLater)).toEqual({
    status: 200,
    body: 'handled',
    ran: '0123',
  });
});

it.each<[string, Step]>([
  [
    'at once',
    () => {
      throw Object.assign(new Error('refused'), { statusCode: 403 });
    },
  ],
  ['later', () => Promise.reject(Object.assign(new Error('refused'), { statusCode: 403 }))],
])('refuses the request when a step fails %s', async (_when, refuse) => {
  const { status, ran } = await answerAfter(goOn, refuse, goOn);
  expect({ status, ran }).toEqual({ status: 403, ran: '01' });
});

it.each<[string, Step]>([
  ['at once', (_request, reply) => void reply.send('answered')],
  ['later', (_request, reply) => Promise.resolve().then(() => void reply.send('answered'))],
])('runs no later step, and no handler, when a step answers %s', async (_when, answer) => {
  expect(await answerAfter(goOn, answer, goOn)).toEqual({ status: 200, body: 'answered', ran: '01' });
});
