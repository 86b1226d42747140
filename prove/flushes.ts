import { requireThat } from './options.ts';
import { Trace } from './trace.ts';

/**
 * Follows the writes of a service to the write-ahead log of SQLite, and its answers.
 *
 * @param lines the lines of a trace
 * @param mark matches a text that is in an answer 201 and in a page of the commit of the same request
 * @throws Broken at the first answer that was sent before its commit was written and flushed
 */
export async function readFlushes(
  lines: AsyncIterable<string> | Iterable<string>,
  mark: RegExp,
): Promise<{ readonly answers: number; readonly commits: number; readonly writes: number }> {
  const trace = new Trace();
  /** For each mark, the number of the first write that contains it. */
  const written = new Map<string, number>();
  const answered = new Set<string>();
  /** For each thread, a number of a write: the current flush of the thread includes all writes up to this number. */
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
        // The commit may have more writes after the one with the mark. So all writes that have begun must be flushed.
        requireThat(begun <= flushed, () => `${what} before the write-ahead log was flushed.`);
        answered.add(found);
      }
    } else if (target.endsWith('-wal') && /^f(data)?sync$/.test(name)) {
      // Other threads may write during this flush. It is not known whether the flush includes these writes, so they do
      // not count as flushed.
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
