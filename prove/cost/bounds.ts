import type { Cost } from './probe.ts';

const SMALL = { bytes: 16_384, ms: 50 };
const LARGE = { bytes: 262_144, ms: 200 };
/** Bytes of memory for each byte of a message. */
const TIMES = 20;
/** Memory for the answer itself, which may be large by contract, and for garbage that is not collected yet. */
const FLOOR_BYTES = 32 * 2 ** 20;

/**
 * The bound of processor time for a message of this size, in milliseconds. Beyond 256 KiB it is proportional to the
 * size.
 */
export function mostCpu(size: number): number {
  if (size < SMALL.bytes) return SMALL.ms;
  return LARGE.ms * Math.max(1, size / LARGE.bytes);
}

export function mostMemory(size: number): number {
  return FLOOR_BYTES + TIMES * size;
}

/**
 * The larger of two shares: the processor time as a share of its bound, and the memory as a share of its bound. If the
 * value is 1 or more, a bound is reached.
 */
export function shareOf({ cpu, memory, size }: Pick<Cost, 'cpu' | 'memory' | 'size'>): number {
  return Math.max(cpu / mostCpu(size), memory / mostMemory(size));
}

/** A text about the bound that the cost reaches; null when the cost reaches no bound. */
export function excess({ cpu, memory, size, isFatal }: Cost): string | null {
  const bytes = `${size.toLocaleString('en')} bytes`;
  if (memory === Infinity) return `${bytes} end the process`;
  if (isFatal)
    return `${bytes} cost more than ${Math.floor(cpu)} ms of processor time, and the process was killed`;
  if (cpu >= mostCpu(size)) {
    return `${bytes} cost ${cpu.toFixed(0)} ms of processor time; the bound is ${mostCpu(size).toFixed(0)} ms`;
  }
  const [grew, may] = [memory, mostMemory(size)].map((each) => `${Math.round(each / 2 ** 20)} MB`);
  return memory >= mostMemory(size) ? `${bytes} make the process grow by ${grew}; the bound is ${may}` : null;
}
