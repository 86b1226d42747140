import { isDeepStrictEqual } from 'node:util';
import { ValidationFailed } from '../errors/errors.js';
import type { Present } from './representation.js';

type Members = Readonly<Record<string, unknown>>;

/** The read-only members of a request. They must have the values that the row shows. */
export class ReadOnlyEcho {
  constructor(
    readonly members: Members,
    private readonly present: Present,
  ) {}

  /**
   * Checks a row that the present act has locked.
   *
   * @throws ValidationFailed
   */
  check(entity: object): void {
    requireAsShown(this.members, this.present(entity));
  }
}

/** The members of a body that are in the list of names; null if the body has none of them. */
export function sentBackIn(
  members: Members,
  names: readonly string[],
  present: Present,
): ReadOnlyEcho | null {
  const given = names.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]);
  return given.length === 0 ? null : new ReadOnlyEcho(Object.fromEntries(given) as Members, present);
}

/** @throws ValidationFailed with a fault for every member whose value is not the shown value */
export function requireAsShown(members: Members, shown: Members): void {
  const faults = Object.entries(members)
    .filter(([name, value]) => !isDeepStrictEqual(value, shown[name]))
    .map(([name]) => ({
      pointer: `#/${name}`,
      code: 'READ_ONLY',
      detail: `must be ${saidOf(shown[name])} or left out`,
    }));
  if (faults.length > 0) throw new ValidationFailed(faults);
}

function saidOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 100 ? 'as it was read' : text;
}
