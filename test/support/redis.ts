import { describe } from 'vitest';

export { privateRedis, type PrivateRedis } from './private-redis.js';

const HOW_TO =
  'set TEST_REDIS_URL, for example redis://127.0.0.1:6379, to a server, and have the program redis-server (Debian: apt-get install redis-server)';

/** A server that is there; tests share it. */
export const redisUrl = process.env['TEST_REDIS_URL'];

if (redisUrl === undefined) {
  if (process.env['TEST_REQUIRE_SERVERS'] === '1') throw new Error(`No Redis to test on: ${HOW_TO}`);
  process.stderr.write(`The tests on Redis are skipped: ${HOW_TO}.\n`);
}

/** Without Redis these tests show as skipped. */
export function describeOnRedis(name: string, tests: () => void): void {
  describe.skipIf(redisUrl === undefined)(`${name} on Redis`, () => {
    tests();
  });
}
