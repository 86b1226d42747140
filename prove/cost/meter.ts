import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of processor time since the start of the process, by kind of thread. */
export interface Spent {
  /** The main thread, which answers all requests, with the threads that the service started itself. */
  readonly own: number;
  /** The thread pool that works for the main thread: hashes of passwords, compression, files. */
  readonly pool: number;
  /** The threads of V8: garbage collection and compilation. */
  readonly engine: number;
}

type Kind = keyof Spent | 'none';

/**
 * The kind of a thread, by the name that Node 24 gives the thread. The threads of the inspector work only for this
 * proof.
 */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^libuv-worker/, 'pool'],
  [/^(V8Worker|DelayedTaskSche)/, 'engine'],
  [/^(SignalInspector|InspectorIo)/, 'none'],
];

const CLEAR_PEAK = '5';
const STILL_MS = 1;
const STILL_SHARE = 0.01;
/** The pause before `still` looks at the threads again. */
const PAUSE_MS = 1;

/**
 * Reads the counters that Linux has for a process. The process does no work for this, so it can be measured while it is
 * busy.
 */
export class Meter {
  readonly #pid: number;
  /** The id of the main thread. */
  readonly #id: string;
  readonly #threads = new Map<string, { readonly kind: Kind; readonly ms: number }>();

  constructor(pid: number) {
    this.#pid = pid;
    this.#id = String(pid);
  }

  spent(): Spent {
    for (const id of readdirSync(`/proc/${this.#pid}/task`)) this.#look(id);
    const sum = { own: 0, pool: 0, engine: 0, none: 0 };
    // The time of a thread that has ended is still counted.
    for (const { kind, ms } of this.#threads.values()) sum[kind] += ms;
    return sum;
  }

  #look(id: string): void {
    try {
      const [nanoseconds = '0'] = readFileSync(`/proc/${this.#pid}/task/${id}/schedstat`, 'utf8').split(
        ' ',
        1,
      );
      const known = this.#threads.get(id)?.kind ?? 'own';
      // A thread gets its name a moment after its start, so the name is read again.
      const kind = known === 'own' && id !== this.#id ? this.#kindOf(id) : known;
      this.#threads.set(id, { kind, ms: Number(nanoseconds) / 1e6 });
    } catch (error) {
      this.#unlessGone(error);
    }
  }

  #kindOf(id: string): Kind {
    const name = readFileSync(`/proc/${this.#pid}/task/${id}/comm`, 'utf8');
    return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'own';
  }

  /**
   * Resolves when all threads sleep. A write to a socket wakes the service at once. So if this is called after a write,
   * the service is already at work.
   */
  async still(): Promise<void> {
    while (this.#isAtWork()) await sleep(PAUSE_MS);
  }

  /** Resolves when the process did nothing for this time, apart from its regular work. */
  async quiet(ms: number): Promise<void> {
    for (let isQuiet = false; !isQuiet;) {
      const before = total(this.spent());
      await sleep(ms);
      isQuiet = total(this.spent()) - before < STILL_MS + ms * STILL_SHARE && !this.#isAtWork();
    }
  }

  /** Whether any thread runs, or waits for a processor or the disk. */
  #isAtWork(): boolean {
    return readdirSync(`/proc/${this.#pid}/task`).some((id) => {
      try {
        return /\) [RD] /.test(readFileSync(`/proc/${this.#pid}/task/${id}/stat`, 'latin1'));
      } catch (error) {
        return this.#unlessGone(error);
      }
    });
  }

  /** Ignores the error when the thread has ended meanwhile. */
  #unlessGone(error: unknown): false {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }

  /** Begins to measure the peak. @returns the bytes that are resident now */
  beginPeak(): number {
    writeFileSync(`/proc/${this.#pid}/clear_refs`, CLEAR_PEAK);
    return this.#bytes('VmRSS');
  }

  get peak(): number {
    return this.#bytes('VmHWM');
  }

  #bytes(name: string): number {
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
  }
}

function total({ own, pool, engine }: Spent): number {
  return own + pool + engine;
}

/** @throws Error when the system lacks the counters that this proof needs */
export function requireLinux(): void {
  try {
    readFileSync('/proc/self/schedstat');
  } catch (error) {
    throw new Error(
      'This proof needs Linux: it reads the processor time of each thread from /proc/PID/task/TID/schedstat.',
      {
        cause: error,
      },
    );
  }
}
