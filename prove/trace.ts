/** One system call on a file or socket, as `strace -f -y` prints it. */
export interface Call {
  readonly thread: string;
  readonly name: string;
  /** The file or socket of the descriptor, such as `/data/store.sqlite-wal` or `socket:[4711]`. */
  readonly target: string;
  readonly text: string;
  /**
   * Whether this line is the beginning of the call. Between the beginning and the end of a call, other threads may have
   * made calls.
   */
  readonly begins: boolean;
  /** Null while the result is not known, and NaN when the process ended first. */
  readonly result: number | null;
}

const BEGIN = /^(?<thread>\d+) +(?<name>\w+)\(\d+<(?<target>[^>]*)>(?<text>.*)$/;
const END = /^(\d+) +<\.\.\. \w+ resumed>/;
const RESULT = /\) += (-?\d+)[^)]*(?:\([^)]*\))?$/;

/** Reads the lines of a trace. */
export class Trace {
  readonly #unfinished = new Map<string, Call>();

  /** Null for a line without a call on a descriptor. */
  call(line: string): Call | null {
    const { thread, name, target, text } = (BEGIN.exec(line)?.groups ?? {}) as Record<string, string>;
    if (thread !== undefined && name !== undefined && target !== undefined && text !== undefined) {
      const isUnfinished = line.endsWith('<unfinished ...>');
      const call = { thread, name, target, text, begins: true, result: isUnfinished ? null : resultIn(line) };
      if (isUnfinished) this.#unfinished.set(thread, call);
      return call;
    }
    const resumed = END.exec(line)?.[1] ?? '';
    const begun = this.#unfinished.get(resumed);
    if (begun === undefined) return null;
    this.#unfinished.delete(resumed);
    return { ...begun, begins: false, result: resultIn(line) };
  }
}

function resultIn(line: string): number {
  return Number(RESULT.exec(line.slice(-200))?.[1] ?? Number.NaN);
}
