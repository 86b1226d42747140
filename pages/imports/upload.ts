import type { Head } from './file-head.js';
import { partsOf, type Part } from './parts.js';
import { ask, post, Refused, type Import } from './service.js';

/** The file cannot be the file that the import began with. */
export class OtherFile extends Error {}

/** The waits before further tries after a lost connection. */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000];

export interface Watcher {
  /** @param share the share of the file that the service has */
  sent(share: number): void;
  /** The connection is lost, or the service asks to wait. The upload continues automatically. */
  waits(why: string): void;
  /** Whether the visitor has left this upload. */
  isOver(): boolean;
}

/**
 * Sends all parts of a file, one after another. Only one part is in memory. After a lost connection, a part is sent
 * again. If the service has parts of the import already, the new ones replace them. So the import never mixes two
 * files, even if the visitor chooses another file to go on.
 *
 * @throws Unreadable @throws OtherFile
 * @throws Refused if another try would not help
 */
export async function upload(job: Import, file: File, head: Head, watcher: Watcher): Promise<void> {
  if (head.format !== job.format || file.size < job.bytes) throw new OtherFile();
  for await (const part of partsOf(file, head)) {
    if (watcher.isOver()) return;
    if (!(await sendUntilDone(job.id, part, watcher))) return;
    watcher.sent(part.share);
  }
}

/** @returns whether the import accepts more parts */
async function sendUntilDone(id: number, { number, text, isLast }: Part, watcher: Watcher): Promise<boolean> {
  for (let tries = 0; !watcher.isOver(); tries += 1) {
    try {
      const { state } = await post(`/${id}/parts`, { number, text, last: isLast });
      return state === 'uploading';
    } catch (error) {
      // The answer to the last part was lost, or another tab was faster.
      if (error instanceof Refused && error.code === 'IMPORT_STARTED') return false;
      // The service has parts after the last part of this file.
      if (error instanceof Refused && error.code === 'IMPORT_INCOMPLETE') throw new OtherFile();
      if (error instanceof Refused && !error.isForNow) throw error;
      const wait = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0;
      watcher.waits(
        error instanceof Refused
          ? `${error.message} The upload continues automatically.`
          : 'The service cannot be reached. The upload continues automatically as soon as it can.',
      );
      await pause(error instanceof Refused ? (error.waitMs ?? wait) : wait);
    }
  }
  return false;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export function cancel(id: number): Promise<Import> {
  return ask<Import>(`/${id}`, 'DELETE');
}
