import { headerFor } from '../../engine/browse/page.js';
import type { Config } from '../../engine/config/config.js';
import { ITEM_MEMBERS, MEMBERS, type Kind } from '../../store/transfer/members.js';
import { needsId } from '../../store/transfer/mapping.js';
import { namesOf } from '../../store/transfer/own-row.js';
import { filled } from './overview.js';

/**
 * Fills the page of imports. The page contains no data. It contains the facts that its script needs: the members that a
 * column can be mapped to, and the maximum number of bytes of a file.
 */
export function importsPageOf(template: string, { imports }: Config, path: string): string {
  const mib = imports.maxBytes / 1_048_576;
  return filled(template, {
    ...headerFor(path),
    members: JSON.stringify(FACTS),
    mostBytes: String(imports.maxBytes),
    most: mib >= 1 ? `${Math.floor(mib)} MiB` : `${imports.maxBytes} bytes`,
  });
}

const FACTS = Object.fromEntries(
  Object.entries({ ...MEMBERS, items: ITEM_MEMBERS }).map(([kind, members]) => [
    kind,
    {
      members: Object.entries(members).map(([name, { type, required, values }]) => ({
        name,
        type,
        required: required !== false && (name !== 'id' || needsId(kind as Kind | 'items')),
        inEachRow: required,
        ...(values && { values }),
      })),
      own: namesOf(kind as Kind | 'items', members),
    },
  ]),
);
