import { buildMessage, ValidateBy } from 'class-validator';

/** The reasons for which a value is refused. Codes are added, never renamed. */
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

/**
 * A fault of a member. `at` is the path to the faulty place inside the member. The path is empty if the fault is about
 * the member itself.
 */
export interface Finding {
  readonly at: readonly (string | number)[];
  readonly code: Code;
  readonly detail: string;
}

/**
 * Returns the faults of a value. A rule may rely on the rules before it. The first rule of a member checks its type.
 */
export type Rule = (value: unknown) => readonly Finding[];

/** The members of a class, and the rules for its objects as a whole. */
export interface Shape {
  readonly members: ReadonlyMap<string, Member>;
  /** Whether an object may have members that are not in `members`. */
  readonly open: boolean;
  readonly minMembers: number;
  readonly maxMembers: number;
}
export interface Member {
  readonly default?: unknown;
  readonly inner?: Inner;
  /** The classes of the items of a list that the application validates one by one (`x-judged-apart`). */
  readonly apart?: Kinds;
}
/** Several classes. `discriminator` is the name of the member whose value says which class an object has. */
export interface Kinds {
  readonly discriminator: string;
  readonly dtos: Readonly<Record<string, () => Dto>>;
}
/**
 * The parts of a member that have to be converted. `dto`: the member is an object of one class. `dtos`: it is an object
 * of one of several classes. `each`: it is a list or a map, and each item or value is converted. `id`: it is an `ID` of
 * GraphQL, and its text of digits is converted to an integer. A list with more than `most` items is not converted,
 * because a rule refuses the member anyway. The same holds for a map with more than `most` values.
 */
export type Inner =
  | { readonly id: true }
  | { readonly dto: () => Dto }
  | { readonly each: Inner; readonly most?: number }
  | Kinds;
/** The type T itself, hidden from decorator metadata, so that a class may name a class that is declared below it. */
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

/**
 * The member may be absent. It may be null only if a rule allows null. (`IsOptional` of class-validator always allows
 * null.)
 */
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
 * Returns the rules of each member. class-validator has the same rules, but it takes several times as long as these
 * rules, and it cannot name the place of a fault inside lists and maps.
 */
export function rulesOf(dto: Dto): ReadonlyMap<string | symbol, Rule> {
  return CHECKS.get(dto.prototype as object) ?? NO_RULES;
}

const NO_RULES: ReadonlyMap<string | symbol, Rule> = new Map();

/**
 * Applies the rules in their order. After a fault of the value itself, no further rule is applied, because later rules
 * rely on the earlier ones. After a fault inside the value, such as a fault of an item, the next rules are still
 * applied.
 */
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
