import { Script, type RedisConnection } from '../redis/redis-connection.js';
import type { Policy, Quota } from '../config/quotas.js';
import type { Taken } from './windows.js';

/**
 * Counts like `Windows`, but in Redis, for all instances. Each key is one window: the first request makes the key, and
 * Redis removes the key at the end of the window. A request takes one unit or more of the quota. With -1, the script
 * gives one unit back. The script returns whether this was possible, how many units are used, and the remaining
 * milliseconds of the window. Redis uses the clock of its machine. If this clock was set back, more than the length of
 * the window may remain. Then a new window begins.
 */
const TAKE = new Script(`
local units, quota, length = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local rest = redis.call('PTTL', KEYS[1])
if rest > length then
  used, rest = 0, 0
end
if used + units < 0 or used + units > quota then
  return {0, used, rest > 0 and rest or length}
end
if rest > 0 then
  return {1, redis.call('INCRBY', KEYS[1], units), rest}
end
redis.call('SET', KEYS[1], units, 'PX', length)
return {1, units, length}
`);

/** @throws Error when Redis cannot be reached, answers with an error, or does not answer in time */
export async function takeShared(
  redis: RedisConnection,
  policy: Policy,
  name: string,
  units: number,
  { units: quota, seconds }: Quota,
): Promise<Taken> {
  const [isTaken, used, restMs] = (await redis.runScript(
    TAKE,
    [`store:rate:${policy}:${name}`],
    [units, quota, seconds * 1000],
  )) as [number, number, number];
  return { isTaken: isTaken === 1, left: Math.max(0, quota - used), resetsAt: performance.now() + restMs };
}
