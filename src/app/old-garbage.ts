import v8 from 'node:v8';

const OPTION = /^--heap[-_]growing[-_]percent/;

/**
 * Bounds the garbage in the old generation of V8 to about 30 % of what is in use. By default, V8 decides this from the
 * speed of the program, and the same load may leave 30 % or 300 % (ADR 77). An option of the command line is kept.
 */
export function boundOldGarbage(options: readonly string[] = process.execArgv): void {
  if (!options.some((option) => OPTION.test(option))) v8.setFlagsFromString('--heap-growing-percent=30');
}
