import type { Given } from './given-mapping.js';
import { keyOf, REASONS, type Choices, type Options } from './mapping.js';
import type { Column } from './file-head.js';
import { holderOf, session } from '../session.js';

const KEPT = 'store:import-choices';

/**
 * The entries of the visitor. The form shows them when this tab opens the page again for the same holder of a session,
 * such as after a new sign-in. It shows the kind, the choices and the mapping file only for a file with the same
 * columns.
 */
export interface Draft extends Options {
  readonly source: string;
  readonly events: boolean;
  /** The keys of the columns of the file. */
  readonly columns: readonly string[];
  readonly choices: Choices;
  readonly given: Given | null;
}

/** The holder of the session with which the page was loaded. The session may end while the page is shown. */
const holder = holderOf(session());

interface Kept {
  readonly holder: string | null;
  readonly draft: Draft;
}

export function keptDraft(): Draft | null {
  const text = sessionStorage.getItem(KEPT);
  const kept = text === null ? null : (JSON.parse(text) as Kept);
  return kept?.holder === holder ? kept.draft : null;
}

export function keepDraft(draft: Draft): void {
  try {
    const kept: Kept = { holder, draft };
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // The entries are too large for the storage, so only this page keeps them.
  }
}

/** Whether these are the columns of the file that was chosen before. A column of reasons (`REASONS`) is ignored. */
export function hasColumns({ columns }: Draft, now: readonly Column[]): boolean {
  const names = now.map(keyOf).filter((name) => name !== REASONS);
  const before = new Set(columns.filter((name) => name !== REASONS));
  return names.length === before.size && names.every((name) => before.has(name));
}
