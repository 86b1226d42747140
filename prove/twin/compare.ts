import { Broken } from '../options.ts';
import type { Shown } from './shapes.ts';

/** The form in which one door shows a row. `shown` is null when there is no such row. */
export interface Reading {
  readonly way: string;
  readonly shown: Shown | null;
}

/**
 * All readings of the same row must show the same values.
 *
 * @returns the members of all readings together; null when there is no such row
 * @throws Broken with both readings at the first difference
 */
export function agreed(what: string, readings: readonly Reading[]): Shown | null {
  const [first] = readings;
  const all: Record<string, unknown> = {};
  const said: Record<string, string> = {};
  for (const { way, shown } of readings) {
    if ((shown === null) !== (first?.shown === null)) {
      throw differing(what, [first?.way ?? '', first?.shown ?? null], [way, shown]);
    }
    for (const [name, value] of Object.entries(shown ?? {})) {
      if (value === undefined) continue;
      if (!(name in all)) {
        all[name] = value;
        said[name] = way;
      } else if (!isSame(all[name], value)) {
        throw differing(`${name} of ${what}`, [said[name] ?? '', all[name]], [way, value]);
      }
    }
  }
  return first?.shown === null ? null : all;
}

export function differing(
  what: string,
  [one, first]: readonly [string, unknown],
  [other, second]: readonly [string, unknown],
): Broken {
  return new Broken(
    `The interfaces differ about ${what}.\n  ${one}: ${JSON.stringify(first)}\n  ${other}: ${JSON.stringify(second)}`,
  );
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
