import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf, type Setup } from './contenders.ts';
import { ServerProcess } from './server-process.ts';
import { spreadOf, type Target, type Spread } from './statistics.ts';

const STARTS = 5;
const IDLE_MS = 3_000;

export const FIRST_ANSWER_TARGET: Target = { atMost: 0.8 };
export const IDLE_MEMORY_TARGET: Target = { atMost: 150 };

export interface StartResult {
  /** Seconds from the start of the process to the first 200. */
  readonly firstAnswer: Spread;
  /** Resident memory, in millions of bytes, some seconds after the first answer. */
  readonly idleMemory: Spread;
}

/**
 * Starts the service a few times. The service caches the code that V8 has compiled, so the first start does not count.
 */
export async function measureStart(setup: Setup, signal: AbortSignal): Promise<StartResult> {
  const seconds: number[] = [];
  const megabytes: number[] = [];
  for (let start = 0; start <= STARTS; start += 1) {
    const server = await ServerProcess.start(commandOf('service', setup), signal);
    try {
      if (start === 0) continue;
      seconds.push(server.startMs / 1000);
      await sleep(IDLE_MS, undefined, { signal });
      megabytes.push(server.residentBytes() / 1e6);
    } finally {
      await server.stop();
    }
  }
  return { firstAnswer: spreadOf(seconds), idleMemory: spreadOf(megabytes) };
}
