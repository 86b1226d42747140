import v8 from 'node:v8';

const OPTION = /^--heap[-_]growing[-_]percent/;

/**
 * Bounds the garbage in the old generation of V8 to about 30 % of what is in use. By default, V8 chooses a bound from
 * 10 % to 300 %, by its own speed and the speed of the program (ADR 77). If the command line has this option, its value
 * is kept.
 */
export function boundOldGarbage(options: readonly string[] = process.execArgv): void {
  if (!options.some((option) => OPTION.test(option))) v8.setFlagsFromString('--heap-growing-percent=30');
}
