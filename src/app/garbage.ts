import v8 from 'node:v8';

/** The options of V8 that the service sets after its start. */
const OPTIONS = [
  // Bounds the garbage in the old generation to about 20 % of what is in use. By default, V8 chooses a bound from 10 %
  // to 300 %, by its own speed and the speed of the program (ADR 77).
  '--heap-growing-percent=20',
  // All new objects begin in the young generation. By default, V8 makes objects in the old generation if most objects
  // from the same place in the code have survived. In some starts, this made all requests two to three times slower
  // (ADR 78).
  '--no-allocation-site-pretenuring',
];

/**
 * Sets the options of V8 for the collection of garbage. If the command line has one of these options, its value is
 * kept.
 */
export function setGarbageOptions(given: readonly string[] = process.execArgv): void {
  const names = new Set(given.map(nameOf));
  for (const option of OPTIONS) if (!names.has(nameOf(option))) v8.setFlagsFromString(option);
}

/** The name without its value, and without the prefix that disables an option. V8 accepts `_` for `-` in names. */
function nameOf(option: string): string {
  return option
    .replace(/=.*/s, '')
    .replaceAll('_', '-')
    .replace(/^--(no-?)?/, '');
}
