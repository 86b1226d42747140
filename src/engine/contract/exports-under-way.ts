import type { FastifyReply } from 'fastify';
import { ClientLeft, RateLimited, Unavailable } from '../errors/errors.js';
import { RequestAsker } from '../rate-limits/asker.js';
import type { AnyRequest } from './any-request.js';

// The limits of exports that run at the same time: of one caller, and of the process. Each export holds a batch of
// rows, and keeps the process busy with writing this batch.
const MOST_OF_ONE = 2;
const MOST = 32;
const RETRY_SECONDS = 5;

const byCaller = new Map<string, number>();
let all = 0;

/**
 * Counts a running export. The export is no longer counted when its answer has ended, for whatever reason.
 *
 * @throws RateLimited when the caller has two running exports
 * @throws Unavailable when the process has 32 running exports
 * @throws ClientLeft when the client has closed the connection
 */
export function countExport({ subject, id, raw }: AnyRequest, reply: FastifyReply): void {
  const isGone = () => raw.socket.destroyed;
  // A destroyed socket emits no `close` event any more, so the export would be counted forever.
  if (isGone()) throw new ClientLeft();
  const { name } = new RequestAsker(subject, id, isGone);
  const own = byCaller.get(name) ?? 0;
  if (own >= MOST_OF_ONE) {
    throw new RateLimited(
      `You have ${MOST_OF_ONE} running exports, which is the limit. Read one to its end before you start another.`,
      RETRY_SECONDS,
    );
  }
  if (all >= MOST) {
    throw new Unavailable(
      `The service has ${MOST} running exports, which is the limit. Try again in ${RETRY_SECONDS} s.`,
      {
        retryAfterSeconds: RETRY_SECONDS,
      },
    );
  }
  byCaller.set(name, own + 1);
  all += 1;
  reply.raw.once('close', () => {
    all -= 1;
    const rest = (byCaller.get(name) ?? 1) - 1;
    if (rest === 0) byCaller.delete(name);
    else byCaller.set(name, rest);
  });
}
