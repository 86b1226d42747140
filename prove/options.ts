import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { Proceeding } from '../testkit/proceeding.ts';

/** This error means that the service did not keep a promise. Any other error says nothing about the service. */
export class Broken extends Error {}

export function requireThat(isKept: boolean, message: () => string): asserts isKept {
  if (!isKept) throw new Broken(message());
}

/** A number in these bounds, any text, or one of these words. An option with words is null when it is not given. */
export type Option = Numeric | Text | { readonly words: readonly string[] };

interface Text {
  /** The value when the option is not given. */
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
 * Runs a proof, and ends the process. The exit code is 0 when the service kept every promise, 1 when it broke one, and
 * 2 when the proof could not be completed.
 *
 * @param help the text that `--help` prints
 */
export async function prove<const O extends Readonly<Record<string, Option>>>(
  help: string,
  options: O,
  run: (given: Given<O>, proceeding: Proceeding) => Promise<void>,
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
    await proceed((proceeding) => run(Object.fromEntries(given) as Given<O>, proceeding));
  } catch (error) {
    process.exitCode = error instanceof Broken ? 1 : 2;
    for (let cause = error; cause instanceof Error; { cause } = cause) {
      process.stderr.write(`${cause instanceof Broken ? 'BROKEN: ' : ''}${cause.message}\n`);
    }
  }
  // After an interruption, some promises may never settle and keep the process alive. So the process ends itself.
  process.exit();
}

async function proceed(run: (proceeding: Proceeding) => Promise<void>): Promise<void> {
  const ending = new AbortController();
  // Every process and every subscriber of the proof adds a listener. The warning of Node about many listeners would be
  // wrong here.
  setMaxListeners(0, ending.signal);
  const undoing: (() => unknown)[] = [];
  const { promise: interrupted, reject: interrupt } = Promise.withResolvers<never>();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interrupt(new Error('Interrupted: nothing was proved.')));
  }
  process.once('exit', () => ending.abort());
  try {
    await Promise.race([run({ signal: ending.signal, atEnd: (undo) => undoing.push(undo) }), interrupted]);
  } finally {
    ending.abort();
    for (const undo of undoing.toReversed()) await undo();
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
