import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Proceeding } from '../../testkit/proceeding.ts';
import { tell } from '../options.ts';
import { Copy } from './copy.ts';
import { equivalenceOf } from './equivalence.ts';
import type { Contracts, Mutant } from './mutants.ts';
import { lineOf, type Judged, type Verdict } from './report.ts';
import { said, STAGES, type Stage } from './stages.ts';

export interface Wanted {
  readonly workers: number;
  /** The last stage, or null for all of them. */
  readonly until: string | null;
  /** After this time no further mutant is begun. */
  readonly minutes: number;
}

/** Tries each mutant in a copy of the project, and prints each verdict at once. */
export async function judge(
  contracts: Contracts,
  mutants: readonly Mutant[],
  { workers, until, minutes }: Wanted,
  { signal, atEnd }: Proceeding,
): Promise<Judged[]> {
  const end = performance.now() + minutes * 60_000;
  const last = until === null ? STAGES.length : STAGES.findIndex(({ name }) => name === until) + 1;
  const root = await mkdtemp(join(tmpdir(), 'mutants-'));
  // A killed process may still be writing, so the removal is tried again.
  atEnd(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const trusted = new Trust(contracts);
  const judged: Judged[] = [];
  const left = [...mutants];
  const work = async (name: string): Promise<void> => {
    const copy = await Copy.in(root, name, signal);
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      const began = performance.now();
      const verdict: Verdict =
        began > end
          ? { kind: 'untried' }
          : await verdictOf(copy, contracts, mutant, STAGES.slice(0, last), trusted);
      // After an interruption, every step ends without a result, so a verdict would be wrong.
      if (signal.aborted) return;
      judged.push({ mutant, verdict });
      tell(`${lineOf({ mutant, verdict })} (${((performance.now() - began) / 1000).toFixed(0)} s)`);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, at) => work(`copy-${at + 1}`)));
  return judged.toSorted((a, b) => a.mutant.number - b.mutant.number);
}

async function verdictOf(
  copy: Copy,
  contracts: Contracts,
  mutant: Mutant,
  stages: readonly Stage[],
  trusted: Trust,
): Promise<Verdict> {
  const reason = equivalenceOf(contracts, mutant.contracts);
  if (reason !== null) return { kind: 'equivalent', reason };
  await copy.write(mutant.contracts);
  for (const stage of stages) {
    const { isDone, output } = await stage.run(copy);
    if (isDone) continue;
    await trusted.require(stage, copy);
    return { kind: 'noticed', by: stage.name, line: said(stage, output) };
  }
  return { kind: 'hole' };
}

/**
 * A stage that fails without any change proves nothing. So a stage that fails for the first time is run again without a
 * change, and must then succeed.
 */
class Trust {
  readonly #contracts: Contracts;
  readonly #stages = new Map<string, Promise<void>>();

  constructor(contracts: Contracts) {
    this.#contracts = contracts;
  }

  async require(stage: Stage, copy: Copy): Promise<void> {
    const known = this.#stages.get(stage.name) ?? this.#test(stage, copy);
    this.#stages.set(stage.name, known);
    await known;
  }

  async #test(stage: Stage, copy: Copy): Promise<void> {
    await copy.write(this.#contracts);
    const [codegen] = STAGES;
    if (codegen) await codegen.run(copy);
    const { isDone, output } = await stage.run(copy);
    if (!isDone) throw new Error(`The stage ${stage.name} fails without any change: ${said(stage, output)}`);
  }
}
