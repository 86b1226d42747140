import { isSame } from '../src/rules/entered.js';
import { fieldsIn, fill, nameOf, valuesIn, type Values } from './form-values.js';

/*
 * A draft keeps the entries of a visitor in one form while the page is drawn again, or while the visitor is at the
 * sign-in. Only the same holder of a session sees the draft again. A draft also has the values and the version that the
 * visitor saw. If somebody else has changed a field of the draft in the meantime, the page asks which
 * values to keep: those of the visitor, or those of the other person.
 */

const KEPT = 'store:draft';

/** The state of the row that a form showed when its page was loaded. */
export interface ShownState {
  readonly base: Values;
  readonly etag: string | undefined;
}

/** The page of forms, and the holder of the session for which the page was drawn. */
export interface Origin {
  readonly path: string;
  readonly holder: string | null;
}

export interface Draft extends ShownState, Origin {
  readonly operation: string;
  /** The entries that the visitor changed. `base` has the earlier values of these fields, and of no others. */
  readonly values: Values;
  /** The fields whose typed secrets the draft leaves out. */
  readonly omitted: readonly string[];
}

/** The values of all fields of a form, also of those that are parts of the address. */
export function entriesIn(form: HTMLFormElement): Values {
  return { ...valuesIn(form, 'path'), ...valuesIn(form, 'query'), ...valuesIn(form) };
}

/**
 * Makes the draft of a form from the entries of the visitor.
 *
 * @param hasSecrets whether the draft also gets the secrets that the visitor typed
 * @returns null if the visitor has changed nothing
 */
export function draftOf(
  form: HTMLFormElement,
  shown: ShownState,
  { path, holder }: Origin,
  hasSecrets: boolean,
): Draft | null {
  const entries = entriesIn(form);
  const names = fieldsIn(form)
    .map(nameOf)
    // The value of an empty field may be null or absent. Both mean the same here.
    .filter((name) => !isSame(entries[name] ?? null, shown.base[name] ?? null));
  const omitted = fieldsIn(form)
    .filter((field) => !hasSecrets && isSecret(field) && names.includes(nameOf(field)))
    .map(nameOf);
  if (names.length === 0) return null;
  const kept = names.filter((name) => !omitted.includes(name));
  const pick = (values: Values): Values =>
    Object.fromEntries(kept.map((name) => [name, values[name] ?? null] as const));
  return {
    path,
    holder,
    operation: operationOf(form),
    values: pick(entries),
    base: pick(shown.base),
    etag: shown.etag,
    omitted,
  };
}

/**
 * Puts a draft into its form.
 *
 * @param fresh the state that the form shows now
 * @returns the state with which the entries are to be compared. It is `fresh`, unless somebody else has changed a field
 *   of the draft. Then the state has the version that the visitor saw. Its values for the fields of the draft are also
 *   those that the visitor saw.
 */
export function putBack(form: HTMLFormElement, draft: Draft, fresh: ShownState): ShownState {
  fill(form, draft.values);
  for (const field of fieldsIn(form)) {
    const name = nameOf(field);
    if (name in draft.values) field.setAttribute('data-touched', '');
    const place = field.querySelector(':scope > .fault');
    if (place && draft.omitted.includes(name))
      place.textContent = 'Type this again. The page does not store secrets.';
  }
  const isOld = Object.entries(draft.base).some(([name, value]) => !isSame(value, fresh.base[name] ?? null));
  return isOld ? { base: { ...fresh.base, ...draft.base }, etag: draft.etag } : fresh;
}

/** Keeps the drafts of a page in this tab, until the page shows their forms again. Drafts of other pages stay. */
export function keepDrafts(drafts: readonly Draft[], { path }: Origin): void {
  store([...stored().filter((draft) => draft.path !== path), ...drafts]);
}

/** Takes the draft of a form out of the storage of this tab. */
export function keptDraft(form: HTMLFormElement): Draft | null {
  const drafts = stored();
  const mine = drafts.find((draft) => isOf(draft, form)) ?? null;
  if (mine) store(drafts.filter((draft) => draft !== mine));
  return mine;
}

/** Removes the drafts of everybody else from the storage of this tab. */
export function keepOnlyDraftsOf(holder: string): void {
  const drafts = stored();
  const rest = drafts.filter((draft) => draft.holder === holder);
  if (rest.length < drafts.length) store(rest);
}

function stored(): readonly Draft[] {
  const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
  return Array.isArray(kept) ? (kept as readonly Draft[]) : [];
}

function store(drafts: readonly Draft[]): void {
  try {
    if (drafts.length > 0) sessionStorage.setItem(KEPT, JSON.stringify(drafts));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // The drafts are larger than the storage of the tab. The entries stay on the page, as long as the page is open.
  }
}

export function isOf({ path, operation }: Draft, form: HTMLFormElement): boolean {
  return path === location.pathname && operation === operationOf(form);
}

function operationOf(form: HTMLFormElement): string {
  return form.closest<HTMLElement>('[data-operation]')?.dataset['operation'] ?? '';
}

function isSecret(field: HTMLElement): boolean {
  const inner = '[data-control=secret]';
  return field.matches(inner) || field.querySelector(inner) !== null;
}
