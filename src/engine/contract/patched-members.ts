import type { Operation } from 'rfc6902';

/**
 * Returns the members whose values after the patch come from the patch alone, and not from the row. These values can be
 * validated without the row.
 *
 * @param isMember whether a body can have a member of this name. If not, a `replace` of this name finds no value in the
 *   row, and is refused later. So its value is not checked here.
 */
export function knownMembers(
  operations: readonly Operation[],
  isMember: (name: string) => boolean,
): Record<string, unknown> {
  let known = new Map<string, unknown>();
  for (const operation of operations) {
    const { op, path } = operation;
    if (op === 'test') continue;
    if (op === 'move') known.delete(stepsOf(operation.from)[0] ?? '');
    const [name, ...deeper] = stepsOf(path);
    const isWritten = op === 'add' || op === 'replace';
    if (name === undefined) known = new Map(isWritten ? membersOf(operation.value) : []);
    else if (isWritten && deeper.length === 0 && (op === 'add' || isMember(name)))
      known.set(name, operation.value);
    else known.delete(name);
  }
  return Object.fromEntries(known);
}

/** Returns a function that tells whether a JSON patch writes a member. Writing the same value again also counts. */
export function writtenBy(operations: readonly Operation[]): (name: string) => boolean {
  const names = new Set<string | undefined>();
  for (const operation of operations) {
    if (operation.op === 'test') continue;
    names.add(stepsOf(operation.path)[0]);
    if (operation.op === 'move') names.add(stepsOf(operation.from)[0]);
  }
  // `undefined` means the whole document.
  return (name) => names.has(undefined) || names.has(name);
}

/** The steps of a JSON pointer (RFC 6901). */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function membersOf(value: unknown): readonly [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
