import { randomFrom } from '../../testkit/random.ts';
import { applied, type Candidates } from './edit.ts';
import { openapiCandidates } from './openapi.ts';
import { sdlCandidates } from './sdl.ts';
import { lineAt } from './yaml.ts';

/** The texts of both contracts. */
export interface Contracts {
  readonly openapi: string;
  readonly sdl: string;
}

/** One change of one contract. */
export interface Mutant {
  /** The number of the change, counted from 1, for `--only`. */
  readonly number: number;
  /** The kind of change, such as `bounds`. */
  readonly operator: string;
  readonly file: 'openapi.yaml' | 'schema.graphql';
  readonly line: number;
  readonly place: string;
  /** The description, such as `maxLength: 200 → 201`. */
  readonly what: string;
  /**
   * The name of the change, which is the same in every run. It depends neither on the line nor on the words of the
   * contract's descriptions. A number at its end distinguishes changes with the same text.
   */
  readonly change: string;
  readonly contracts: Contracts;
}

export function candidatesOf({
  openapi,
  sdl,
}: Contracts): readonly (readonly [Mutant['file'], Candidates])[] {
  return [
    ['openapi.yaml', openapiCandidates(openapi)],
    ['schema.graphql', sdlCandidates(sdl)],
  ];
}

/**
 * Chooses mutants. All operators are equally likely. If an operator can change both files, the files are equally
 * likely. No mutant is chosen twice.
 */
export function mutantsOf(contracts: Contracts, seed: number, count: number): Mutant[] {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const files = candidatesOf(contracts);
  const lists = files.flatMap(([, candidates]) => Object.entries(candidates));
  const operators = [...new Set(lists.filter(([, list]) => list.length > 0).map(([name]) => name))];
  const all = lists.flatMap(([, list]) => list).length;
  const chosen = new Set<unknown>();
  const mutants: Mutant[] = [];
  while (mutants.length < Math.min(count, all)) {
    const operator = pick(operators);
    const [file, candidates] = pick(files.filter(([, own]) => (own[operator] ?? []).length > 0));
    const candidate = pick(candidates[operator] ?? []);
    if (chosen.has(candidate)) continue;
    chosen.add(candidate);
    const { place, what } = candidate;
    const alike = (candidates[operator] ?? []).filter((each) => each.place === place && each.what === what);
    const name = file === 'openapi.yaml' ? 'openapi' : 'sdl';
    mutants.push({
      number: mutants.length + 1,
      operator,
      file,
      line: lineAt(contracts[name], candidate.edit.start),
      place,
      what,
      change: `${file} ${operator}, ${place}: ${what} (${alike.indexOf(candidate) + 1})`,
      contracts: { ...contracts, [name]: applied(contracts[name], candidate.edit) },
    });
  }
  return mutants;
}

/** The title of a change, such as `openapi.yaml:123 maxLength: 200 → 201, of ProductName`. */
export function titleOf({ file, line, what, place }: Mutant): string {
  return `${file}:${line} ${what}, of ${place}`;
}
