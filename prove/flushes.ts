import { requireThat } from './options.ts';
import { Trace } from './trace.ts';

/**
 * Follows what a service does to the write-ahead log of SQLite, and what it sends.
 *
 * @param lines of a trace
 * @param mark what is in an answer 201 and, of the same request, in a page of its commit
 * @throws Broken at the first answer that was sent before its commit was written and flushed
 */
export async function readFlushes(
  lines: AsyncIterable<string> | Iterable<string>,
  mark: RegExp,
): Promise<{ readonly answers: number; readonly commits: number; readonly writes: number }> {
  const trace = new Trace();
  /** The number of the first write that has a mark in it. */
  const written = new Map<string, number>();
  const answered = new Set<string>();
  /** What each thread that flushes is sure to flush. */
  const flushing = new Map<string, number>();
  let [begun, underWay, ended, flushed, commits] = [0, 0, 0, 0, 0];
  for await (const line of lines) {
    const call = trace.call(line);
    if (call === null) continue;
    const { thread, name, target, text, begins, result } = call;
    const marks = begins ? new Set(Array.from(text.matchAll(mark), ([found]) => found)) : [];
    if (target.startsWith('socket:')) {
      if (!begins || !text.includes('"HTTP/1.1 201 ')) continue;
      for (const found of marks) {
        const place = written.get(found);
        const what = `The answer to ${found} was sent`;
        requireThat(
          place !== undefined,
          () => `${what} before its commit was written to the write-ahead log.`,
        );
        // The last write of a commit makes it one, so nothing may be left.
        requireThat(begun <= flushed, () => `${what} before the write-ahead log was flushed.`);
        answered.add(found);
      }
    } else if (target.endsWith('-wal') && /^f(data)?sync$/.test(name)) {
      // What other threads write meanwhile may or may not be in it.
      if (begins) flushing.set(thread, ended);
      const safe = flushing.get(thread) ?? 0;
      if (result === 0 && safe > flushed) {
        commits += 1;
        flushed = safe;
      }
    } else if (target.endsWith('-wal')) {
      if (begins) [begun, underWay] = [begun + 1, underWay + 1];
      for (const found of marks) if (!written.has(found)) written.set(found, begun);
      if (result !== null) underWay -= 1;
      if (underWay === 0) ended = begun;
    }
  }
  return { answers: answered.size, commits, writes: begun };
}
