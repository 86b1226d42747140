import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { emit, missingParts } from '../../tools/codegen.ts';
import { Contract } from '../../tools/contract/complete.ts';
import { completeSdl } from '../../tools/contract/sdl.ts';
import { ContractError } from '../../tools/faults.ts';
import { Compiler } from './compiler.ts';
import type { Contracts } from './mutants.ts';
import { Records } from './records.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));

/** The text of the digest of both contracts, in `operations.ts`. */
const DIGEST = /(?<=CONTRACT_DIGEST = ')\w+/;

/** The stages that need no copy of the project. They run in one process for all mutants, the cheapest stage first. */
export const QUICK = ['codegen', 'recorded', 'compiler'] as const;
export type Quick = (typeof QUICK)[number];

/** The stage that noticed a change, and its message. */
export interface Notice {
  readonly by: Quick;
  readonly line: string;
}

export class QuickStages {
  readonly #compiler: Compiler | null;
  readonly #until: Quick;
  readonly #records: Records;

  private constructor(compiler: Compiler | null, until: Quick, records: Records) {
    this.#compiler = compiler;
    this.#until = until;
    this.#records = records;
  }

  /**
   * @param contracts the contracts without a change; every stage must succeed with them
   * @param until the last stage to run
   */
  static async start(contracts: Contracts, until: Quick): Promise<QuickStages> {
    const compiler = until === 'compiler' ? new Compiler(TOP) : null;
    const error = compiler?.compileFirst(await filesOf(contracts)) ?? null;
    if (error !== null) throw new Error(`The compiler fails without any change: ${error}`);
    const stages = new QuickStages(compiler, until, await Records.in(TOP));
    const notice = await stages.notice(contracts);
    if (notice !== null) throw new Error(`The stage ${notice.by} fails without any change: ${notice.line}`);
    return stages;
  }

  /** Runs the stages. It returns null if none of them notices the change. */
  async notice(contracts: Contracts): Promise<Notice | null> {
    const generated = await this.#generated(contracts);
    if (typeof generated === 'string') return { by: 'codegen', line: generated };
    if (this.#until === 'codegen') return null;
    const [recorded = null] = this.#records.breaks(contracts);
    if (recorded !== null) return { by: 'recorded', line: recorded };
    if (this.#until === 'recorded') return null;
    const error = this.#compiler?.error(generated) ?? null;
    return error === null ? null : { by: 'compiler', line: error };
  }

  /** Returns the generated files, or the message with which `npm run codegen` or `npm run contract` would fail. */
  async #generated(contracts: Contracts): Promise<ReadonlyMap<string, string> | string> {
    try {
      const given = { ...contracts, sdl: await formatted(contracts.sdl) };
      const files = await filesOf(given);
      // `npm run contract` may change the order of parts. A changed order is no fault, so the code is generated again
      // from the ordered contracts.
      const openapi = await new Contract(given.openapi).completed();
      const ordered = { openapi, sdl: (await completeSdl(openapi, given.sdl)).text };
      return isDeepStrictEqual(ordered, given) ? files : await filesOf(ordered);
    } catch (error) {
      if (error instanceof Error) return error.message.split('\n')[0] ?? '';
      throw error;
    }
  }
}

async function filesOf({ openapi, sdl }: Contracts): Promise<Map<string, string>> {
  const missing = await missingParts(openapi, sdl);
  if (missing.length > 0) throw new ContractError(missing);
  const files = await emit(openapi, sdl);
  // The digest is left out, because it is part of a type and differs for each mutant. With the digest, the compiler
  // would check again everything that uses `operations.ts`.
  return new Map([...files].map(([name, text]) => [name, text.replace(DIGEST, '')]));
}

/**
 * The SDL is formatted by Prettier, so that no stage notices a mutant only because of its line breaks. A text that
 * cannot be read stays as it is.
 */
export async function formatted(sdl: string): Promise<string> {
  const options = await resolveConfig(join(TOP, 'schema.graphql'));
  return format(sdl, { parser: 'graphql', ...options }).catch(() => sdl);
}
