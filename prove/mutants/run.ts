import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Proceeding } from '../../testkit/proceeding.ts';
import { tell } from '../options.ts';
import { Copy } from './copy.ts';
import { equivalenceOf } from './equivalence.ts';
import { Known } from './known.ts';
import type { Contracts, Mutant } from './mutants.ts';
import { QUICK, type Quick } from './quick-stages.ts';
import { QuickThread } from './quick.ts';
import { lineOf, type Judged, type Verdict } from './report.ts';
import { failedFiles, NAMES, said, STAGES, type Stage } from './stages.ts';

export interface Wanted {
  readonly workers: number;
  /** The last stage, or null for all of them. */
  readonly until: string | null;
  /** After this time no further mutant is begun. */
  readonly minutes: number;
  /**
   * The file with the changes that earlier runs noticed. This run adds the changes that it notices. An empty name: no
   * file.
   */
  readonly known: string;
}

/** Tries each mutant, and prints each verdict at once. */
export async function judge(
  contracts: Contracts,
  mutants: readonly Mutant[],
  { workers, until, minutes, known: file }: Wanted,
  { signal, atEnd }: Proceeding,
): Promise<Judged[]> {
  const end = performance.now() + minutes * 60_000;
  const last = until ?? NAMES.at(-1) ?? '';
  const root = await mkdtemp(join(tmpdir(), 'mutants-'));
  // A killed process may still be writing, so the removal is tried again.
  atEnd(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const trusted = new Trust(contracts);
  const known = new Known(file);
  const judged: Judged[] = [];
  const left = [...mutants];
  const work = async (name: string): Promise<void> => {
    const worker = new Judge(contracts, last, trusted, () => Copy.in(root, name, signal), signal);
    atEnd(() => worker.end());
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      const began = performance.now();
      const verdict: Verdict =
        known.of(mutant) ?? (began > end ? { kind: 'untried' } : await worker.verdict(mutant));
      // After an interruption, every step ends without a result, so a verdict would be wrong.
      if (signal.aborted) return;
      judged.push({ mutant, verdict });
      known.add({ mutant, verdict });
      tell(`${lineOf({ mutant, verdict })} (${((performance.now() - began) / 1000).toFixed(0)} s)`);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, at) => work(`copy-${at + 1}`)));
  return judged.toSorted((a, b) => a.mutant.number - b.mutant.number);
}

/** Tries one mutant after another. A judge makes its thread and its copy of the project when it needs them. */
class Judge {
  readonly #contracts: Contracts;
  readonly #quickUntil: Quick;
  readonly #stages: readonly Stage[];
  readonly #trusted: Trust;
  readonly #makeCopy: () => Promise<Copy>;
  readonly #signal: AbortSignal;
  #thread: QuickThread | undefined;
  #copy: Copy | undefined;

  constructor(
    contracts: Contracts,
    last: string,
    trusted: Trust,
    makeCopy: () => Promise<Copy>,
    signal: AbortSignal,
  ) {
    this.#contracts = contracts;
    this.#quickUntil = QUICK.find((name) => name === last) ?? 'compiler';
    this.#stages = STAGES.slice(0, STAGES.findIndex(({ name }) => name === last) + 1);
    this.#trusted = trusted;
    this.#makeCopy = makeCopy;
    this.#signal = signal;
  }

  async verdict(mutant: Mutant): Promise<Verdict> {
    const reason = equivalenceOf(this.#contracts, mutant.contracts);
    if (reason !== null) return { kind: 'equivalent', reason };
    this.#thread ??= new QuickThread(this.#contracts, this.#quickUntil, this.#signal);
    const notice = await this.#thread.notice(mutant.contracts);
    if (notice !== null) return { kind: 'noticed', by: notice.by, line: notice.line.slice(0, 240) };
    if (this.#stages.length === 0) return { kind: 'hole' };
    this.#copy ??= await this.#makeCopy();
    await this.#copy.write(mutant.contracts);
    for (const stage of this.#stages) {
      const { isDone, output } = await stage.run(this.#copy);
      if (isDone) continue;
      await this.#trusted.require(stage, this.#copy, failedFiles(output));
      return { kind: 'noticed', by: stage.name, line: said(stage, output) };
    }
    return { kind: 'hole' };
  }

  async end(): Promise<void> {
    await this.#thread?.end();
  }
}

/**
 * A stage that fails without any change proves nothing. So a stage that fails for the first time is run again without a
 * change, and must then succeed. Only the test files that failed are run again.
 */
class Trust {
  readonly #contracts: Contracts;
  readonly #succeeded = new Map<string, Promise<void>>();

  constructor(contracts: Contracts) {
    this.#contracts = contracts;
  }

  async require(stage: Stage, copy: Copy, files: readonly string[] | undefined): Promise<void> {
    const name = [stage.name, ...(files ?? [])].join(' ');
    const known = this.#succeeded.get(name) ?? this.#test(stage, copy, files);
    this.#succeeded.set(name, known);
    await known;
  }

  async #test(stage: Stage, copy: Copy, files: readonly string[] | undefined): Promise<void> {
    await copy.write(this.#contracts);
    const { isDone, output } = await stage.run(copy, files);
    if (!isDone) throw new Error(`The stage ${stage.name} fails without any change: ${said(stage, output)}`);
  }
}
