import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reads } from '../../engine/database/reads.js';
import { sql } from '../../engine/database/sql.js';
import type { FileSource } from '../transfer/source-file.js';
import { ImportStopped } from './import-lease.js';
import type { Import } from './import.entity.js';

/**
 * The number of bytes that the parser handles between two pauses. Most files need much less than a millisecond for
 * them. A file with a fault of CSV in every few bytes needs about 40 ms, because csv-parse makes an error for each.
 */
const CHUNK_BYTES = 4_096;

/** The file of an import. Its parts are in the database, so any process can read it. */
export function fileOf({ id, bytes, parts }: Import, reads: Reads): FileSource {
  return {
    bytes,
    async *open() {
      for (let number = 1; number <= parts; number += 1) {
        const part = await reads.one<{ text: string }>(
          sql`SELECT text FROM import_parts WHERE import_id = ${id} AND number = ${number}`,
        );
        // The parts of an import that was cancelled are removed.
        if (part === undefined) throw new ImportStopped();
        const whole = Buffer.from(part.text);
        for (let at = 0; at < whole.length; at += CHUNK_BYTES) {
          yield whole.subarray(at, at + CHUNK_BYTES);
          await nextTurn();
        }
      }
    },
  };
}
