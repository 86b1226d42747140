import { randomInt } from 'node:crypto';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** A promise of the service that was not kept; all else that goes wrong is no proof of anything. */
export class Broken extends Error {}

export function requireThat(isKept: boolean, message: () => string): asserts isKept {
  if (!isKept) throw new Broken(message());
}

/** A number in these bounds; any text; or one of these words, which is null when it is not given. */
export type Option = Numeric | Text | { readonly words: readonly string[] };

interface Text {
  /** What it is when it is not given. */
  readonly text: string;
}

interface Numeric {
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
}

type Given<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]: O[K] extends Numeric ? number : O[K] extends Text ? string : string | null;
};

/**
 * Runs a proof, and says how it ended: 0 when all was kept, 1 when something was broken, 2 when nothing was proved.
 *
 * @param help the options, a line each
 */
export async function prove<const O extends Readonly<Record<string, Option>>>(
  help: string,
  options: O,
  run: (given: Given<O>) => Promise<void>,
): Promise<void> {
  try {
    const texts = Object.keys(options).map((name) => [name, { type: 'string' }]);
    const known = Object.fromEntries([...texts, ['help', { type: 'boolean' }]]) as ParseArgsOptionsConfig;
    const { values } = parseArgs({ options: known });
    if (values.help) return tell(help);
    const given = Object.entries(options).map(([name, option]) => [
      name,
      read(name, values[name] as string | undefined, option),
    ]);
    await run(Object.fromEntries(given) as Given<O>);
  } catch (error) {
    process.exitCode = error instanceof Broken ? 1 : 2;
    for (let cause = error; cause instanceof Error; { cause } = cause) {
      process.stderr.write(`${cause instanceof Broken ? 'BROKEN: ' : ''}${cause.message}\n`);
    }
  }
}

export const SEED = { fallback: randomInt(2 ** 31), least: 0, most: 2 ** 32 - 1 };

export function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function read(name: string, text: string | undefined, option: Option): number | string | null {
  if ('text' in option) return text ?? option.text;
  if ('words' in option) {
    if (text === undefined || option.words.includes(text)) return text ?? null;
    throw new Error(`--${name} must be ${option.words.join(' or ')}, not "${text}".`);
  }
  const { fallback, least, most } = option;
  if (text === undefined) return fallback;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Error(`--${name} must be an integer from ${least} to ${most}, not "${text}".`);
}
