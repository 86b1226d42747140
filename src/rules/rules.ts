import { apply, count, MISSING, NOTHING, type Code, type Finding, type Rule } from './members.ts';

/** The parameter of `holds` may have the type that the rules before this one have checked. */
export function rule(code: Code, detail: string, holds: (value: never) => boolean): Rule {
  const fault: readonly Finding[] = [{ at: [], code, detail }];
  return (value) => (holds(value as never) ? NOTHING : fault);
}

function type(detail: string, holds: (value: unknown) => boolean): Rule {
  const wrong: readonly Finding[] = [{ at: [], code: 'WRONG_TYPE', detail }];
  const isNull: readonly Finding[] = [{ at: [], code: 'WRONG_TYPE', detail: 'must not be null' }];
  return (value) => (holds(value) ? NOTHING : value === null ? isNull : wrong);
}

export const text = type('must be a text', (value) => typeof value === 'string');
export const integer = type('must be an integer', Number.isInteger);
export const number = type('must be a number', Number.isFinite);
export const boolean = type('must be true or false', (value) => typeof value === 'boolean');
export const moment = type(
  'must be a moment',
  (value) => value instanceof Date && !Number.isNaN(value.getTime()),
);
export const list = type('must be a list', Array.isArray);
export const object = type('must be an object', isRecord);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function nullable(...rules: Rule[]): Rule {
  return (value) => (value === null ? NOTHING : apply(rules, value));
}

/**
 * Counts code points, as JSON Schema does. Counting takes time, so the number of code units (`length`) decides first. A
 * text has at most as many code points as code units, and at least half as many.
 */
export const minLength = (least: number): Rule =>
  rule(
    'TOO_SHORT',
    least === 1 ? 'must not be empty' : `must be at least ${count(least, 'character')} long`,
    (value: string) => value.length >= least && (value.length >= 2 * least || codePoints(value) >= least),
  );
export const maxLength = (most: number): Rule =>
  rule(
    'TOO_LONG',
    `must be at most ${count(most, 'character')} long`,
    (value: string) => value.length <= most || (value.length <= 2 * most && codePoints(value) <= most),
  );

function codePoints(value: string): number {
  let points = 0;
  for (const _ of value) points += 1;
  return points;
}

/** `detail` says in words which texts the expression allows. */
export const pattern = (expression: RegExp, detail = `must match ${expression.source}`): Rule =>
  rule('PATTERN', detail, (value: string) => expression.test(value));

export const minimum = (least: number): Rule =>
  rule('TOO_SMALL', `must be at least ${least}`, (value: number) => value >= least);
export const maximum = (most: number): Rule =>
  rule('TOO_LARGE', `must be at most ${most}`, (value: number) => value <= most);
export const above = (bound: number): Rule =>
  rule('TOO_SMALL', `must be more than ${bound}`, (value: number) => value > bound);
export const below = (bound: number): Rule =>
  rule('TOO_LARGE', `must be less than ${bound}`, (value: number) => value < bound);

/**
 * The value must be a multiple of `units` / 10^`decimals`. Numbers such as 0.29 are not exact in binary, so 0.29 × 100
 * is not 29. Therefore the product is rounded to a whole number, and divided by 10^`decimals` again. If the result
 * equals the value, the value has no more decimals than allowed. This comparison is exact, because JavaScript rounds a
 * single division correctly.
 */
export const multipleOf = (units: number, decimals: number): Rule => {
  const scale = 10 ** decimals;
  return rule('NOT_A_MULTIPLE', `must be a multiple of ${units / scale}`, (value: number) => {
    const whole = Math.round(value * scale);
    if (!Number.isSafeInteger(whole)) return isLargeMultiple(value, units, decimals);
    return whole / scale === value && whole % units === 0;
  });
};

/**
 * Makes the check of `multipleOf` with the decimal digits of the value. It is for large values, because their product
 * with the scale is no safe integer.
 */
function isLargeMultiple(value: number, units: number, decimals: number): boolean {
  const [digits = '', exponent = ''] = value.toExponential().replace('-', '').split('e');
  const zeros = Number(exponent) - (digits.split('.')[1]?.length ?? 0) + decimals;
  return zeros >= 0 && (BigInt(digits.replace('.', '')) * 10n ** BigInt(zeros)) % BigInt(units) === 0n;
}

export const oneOf = (...values: readonly (string | number | boolean)[]): Rule =>
  rule(
    'NOT_ALLOWED',
    values.length === 1 ? `must be ${String(values[0])}` : `must be one of: ${values.join(', ')}`,
    (value: string | number | boolean) => values.includes(value),
  );

export const minItems = (least: number): Rule =>
  rule('TOO_FEW', `must have at least ${count(least, 'item')}`, ({ length }: unknown[]) => length >= least);
export const maxItems = (most: number): Rule =>
  rule('TOO_MANY', `must have at most ${count(most, 'item')}`, ({ length }: unknown[]) => length <= most);
export const uniqueItems: Rule = rule(
  'NOT_UNIQUE',
  'must not have an item twice',
  (value: unknown[]) => new Set(value.map(canonical)).size === value.length,
);

/** Returns a text of a JSON value. Equal values have the same text, also if their members are in another order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

export const minMembers = (least: number): Rule =>
  rule('TOO_FEW', `must have at least ${count(least, 'member')}`, (value: object) => {
    return Object.keys(value).length >= least;
  });
export const maxMembers = (most: number): Rule =>
  rule('TOO_MANY', `must have at most ${count(most, 'member')}`, (value: object) => {
    return Object.keys(value).length <= most;
  });

/** Every item of a list, or every value of a map, must satisfy the rules. */
export function each(...rules: Rule[]): Rule {
  return (value) => {
    let found: Finding[] | undefined;
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value as object)) {
      for (const finding of apply(rules, item)) {
        (found ??= []).push({ ...finding, at: [isList ? Number(key) : key, ...finding.at] });
      }
    }
    return found ?? NOTHING;
  };
}

/** Checks the discriminator: the member that names the class of an object. */
export function discriminated(name: string, ...values: string[]): Rule {
  const known = oneOf(...values);
  return (value) => {
    const kind = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
    const found = kind === undefined ? MISSING : apply([text, known], kind);
    return found.map((finding) => ({ ...finding, at: [name] }));
  };
}
