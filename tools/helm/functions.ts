import { stringify } from 'yaml';
import { TemplateError } from './template.ts';

type Called = (args: readonly unknown[]) => unknown;

/**
 * The functions that the chart may use. `eq`, `quote` and `printf` refuse numbers and other values for which Helm may
 * have another result. For example, Go and JavaScript do not print all numbers in the same way. Go refuses to compare a
 * number from `values.yaml`, which is a float, with an integer in a template. The arguments of the other functions are
 * not checked for this: `trunc` counts bytes in Helm, and units of UTF-16 here.
 */
export const FUNCTIONS: ReadonlyMap<string, Called> = new Map<string, Called>([
  ['default', of(2, ([fallback, value]) => (isTrue(value) ? value : fallback))],
  ['not', of(1, ([value]) => !isTrue(value))],
  // `and` and `or` return one of their arguments.
  ['and', (args) => args.find((each) => !isTrue(each)) ?? args.at(-1)],
  ['or', (args) => args.find(isTrue) ?? args.at(-1)],
  ['eq', of(2, ([one, other]) => aText(one) === aText(other))],
  ['quote', of(1, ([value]) => JSON.stringify(printed(value)))],
  ['printf', ([form, ...args]) => formatted(aText(form), args.map(aText))],
  ['trunc', of(2, ([length, text]) => aText(text).slice(0, aLength(length)))],
  ['trimSuffix', of(2, ([end, text]) => withoutEnd(aText(text), aText(end)))],
  ['toYaml', of(1, ([value]) => yamlOf(value))],
  ['nindent', of(2, ([spaces, text]) => `\n${indented(spaces as number, aText(text))}`)],
]);

function of(count: number, called: Called): Called {
  return (args) => {
    if (args.length !== count)
      throw new TemplateError(`a function has ${args.length} arguments instead of ${count}`);
    return called(args);
  };
}

/** Empty values are false, as in Go. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

export function printed(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  // Go prints larger numbers with an exponent, such as 1e+06.
  if (Number.isInteger(value) && Math.abs(value as number) < 1_000_000) return String(value);
  throw new TemplateError(`${JSON.stringify(value)} cannot be printed`);
}

function aText(value: unknown): string {
  if (typeof value !== 'string') throw new TemplateError(`${JSON.stringify(value)} is not a text`);
  return value;
}

/** Helm takes the end of the text if the length is negative. */
function aLength(value: unknown): number {
  if (Number.isInteger(value) && (value as number) >= 0) return value as number;
  throw new TemplateError(`${JSON.stringify(value)} is not a length of at least 0`);
}

function formatted(form: string, args: readonly string[]): string {
  const parts = form.split('%s');
  if (parts.length !== args.length + 1 || parts.some((part) => part.includes('%'))) {
    throw new TemplateError(`printf may use only %s, once for each argument`);
  }
  return parts.map((part, index) => part + (args[index] ?? '')).join('');
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, text.length - end.length) : text;
}

function indented(spaces: number, text: string): string {
  return text.replaceAll(/^/gm, ' '.repeat(spaces));
}

/** Kubernetes reads YAML 1.1, in which `yes` is a boolean. So a text such as `yes` gets quotes. */
export function yamlOf(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
}
