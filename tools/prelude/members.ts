import { buildMessage, ValidateBy } from 'class-validator';

/** Why a value is refused; codes are added, never renamed. */
export type Code =
  | 'REQUIRED'
  | 'WRONG_TYPE'
  | 'TOO_SHORT'
  | 'TOO_LONG'
  | 'TOO_SMALL'
  | 'TOO_LARGE'
  | 'NOT_A_MULTIPLE'
  | 'PATTERN'
  | 'NOT_ALLOWED'
  | 'FORMAT'
  | 'NOT_UNIQUE'
  | 'TOO_FEW'
  | 'TOO_MANY';

/** A fault of a member: `at` is empty for the member itself, else the way to the place inside it. */
export interface Finding {
  readonly at: readonly (string | number)[];
  readonly code: Code;
  readonly detail: string;
}

/** Returns what is wrong. A rule may suppose that those before it hold: the first of a member is its type. */
export type Rule = (value: unknown) => readonly Finding[];

/** What a class says of itself beyond the rules of its members. */
export interface Shape {
  readonly members: ReadonlyMap<string, Member>;
  /** Whether members that are not named may be there. */
  readonly open: boolean;
  readonly minMembers: number;
  readonly maxMembers: number;
}
export interface Member {
  readonly default?: unknown;
  readonly inner?: Inner;
}
/**
 * Where objects stand in a member: itself, in each item or value, or as one of several classes. An `id` is an `ID` of
 * GraphQL, whose text of digits is taken for the integer it stands for. With more than `most` items or values a rule refuses
 * it anyway.
 */
export type Inner =
  | { readonly id: true }
  | { readonly dto: () => Dto }
  | { readonly each: Inner; readonly most?: number }
  | { readonly discriminator: string; readonly dtos: Readonly<Record<string, () => Dto>> };
/** T itself, which decorator metadata can't see: a class may name one that is declared below it. */
export type Late<T> = T;
export type Dto<T extends object = object> = (new () => T) & { readonly shape: Shape };

export function shape(members: Record<string, Member>, more: Partial<Omit<Shape, 'members'>> = {}): Shape {
  return {
    members: new Map(Object.entries(members)),
    open: false,
    minMembers: 0,
    maxMembers: Infinity,
    ...more,
  };
}

export const NOTHING: readonly Finding[] = [];
export const MISSING: readonly Finding[] = [{ at: [], code: 'REQUIRED', detail: 'must be given' }];
const CHECKS = new WeakMap<object, Map<string | symbol, Rule>>();

export function Required(...rules: Rule[]): PropertyDecorator {
  return checked((value) => (value === undefined ? MISSING : apply(rules, value)));
}

/** May be absent, but null only where a rule allows it (class-validator's IsOptional always does). */
export function Optional(...rules: Rule[]): PropertyDecorator {
  return checked((value) => (value === undefined ? NOTHING : apply(rules, value)));
}

function checked(check: Rule): PropertyDecorator {
  return (target, name) => {
    const checks = CHECKS.get(target) ?? new Map<string | symbol, Rule>();
    CHECKS.set(target, checks.set(name, check));
    ValidateBy({
      name: 'rules',
      validator: {
        validate: (value) => check(value).length === 0,
        defaultMessage: buildMessage((_, args) =>
          check(args?.value)
            .map(({ detail }) => detail)
            .join('; '),
        ),
      },
    })(target, name);
  };
}

/**
 * The rules of each member, the same ones that class-validator holds: its verdict costs several times the rules
 * themselves, and it has no place for faults inside lists and maps.
 */
export function rulesOf(dto: Dto): ReadonlyMap<string | symbol, Rule> {
  return CHECKS.get(dto.prototype as object) ?? NO_RULES;
}

const NO_RULES: ReadonlyMap<string | symbol, Rule> = new Map();

/** Stops at the first fault of the value itself; faults inside it are all gathered. */
export function apply(rules: readonly Rule[], value: unknown): readonly Finding[] {
  let found = NOTHING;
  for (const rule of rules) {
    const more = rule(value);
    if (more.length === 0) continue;
    found = found.length === 0 ? more : [...found, ...more];
    if (more.some(({ at }) => at.length === 0)) break;
  }
  return found;
}

/** `1 item`, `2 items`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
