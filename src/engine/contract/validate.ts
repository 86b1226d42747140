import { MOST_FAULTS, type Fault } from '../errors/errors.js';
import { count, NOTHING, rulesOf, type Code, type Dto, type Inner, type Rule } from '../../rules/members.js';
import { nearestTo } from '../values/nearest.js';
import { isLong, pointerOf, type Way } from './pointer.js';

/**
 * The part of a request that a value comes from. A fault names its place by a JSON pointer in `body` and `args`, and by
 * the name of the parameter in all other parts.
 */
export type Where = 'path' | 'query' | 'header' | 'body' | 'args';

interface Found {
  readonly at: Way;
  readonly code: Code | 'UNKNOWN_MEMBER' | 'UNKNOWN_PARAMETER';
  readonly detail: string;
}

/** The state of reading one value. */
interface Reading {
  readonly unknown: 'UNKNOWN_MEMBER' | 'UNKNOWN_PARAMETER';
  readonly instances: { readonly instance: object; readonly dto: Dto; readonly at: Way }[];
  readonly found: Found[];
  /** Whether the detail lists the known names even if no known name is similar to the unknown name. */
  readonly tellsNames: boolean;
  /**
   * Functions that add the members that the class does not have. They run after all checks, because a member that is
   * named `constructor` would hide the class of the instance.
   */
  readonly extras: (() => void)[];
}

const UNKNOWN: Readonly<Record<Reading['unknown'], string>> = {
  UNKNOWN_MEMBER: 'must not be given: there is no such member',
  UNKNOWN_PARAMETER: 'must not be given: there is no such parameter',
};
/**
 * After this number of faults, the detail of an unknown name has neither the nearest known name nor all known names.
 */
const MOST_LOOKED_FOR = 10;
const CODES: Readonly<Record<Where, Reading['unknown']>> = {
  path: 'UNKNOWN_PARAMETER',
  query: 'UNKNOWN_PARAMETER',
  header: 'UNKNOWN_PARAMETER',
  body: 'UNKNOWN_MEMBER',
  args: 'UNKNOWN_MEMBER',
};

/**
 * Turns a plain value into an instance of a generated class. Defaults are filled in, and inner objects become instances
 * too. If the value is wrong, all faults are returned: one for each place, at most a hundred. Only the text of an `ID`
 * is converted. The plain value is not changed, but the instance may contain lists and maps of the plain value.
 *
 * @param tellsNames whether a fault of an unknown name lists the known names even if no known name is similar
 */
export function validate<T extends object>(
  dto: new () => T,
  plain: unknown,
  where: Where,
  tellsNames = true,
): { readonly value: T } | { readonly faults: Fault[] } {
  if (!isRecord(plain))
    return { faults: named([{ at: [], code: 'WRONG_TYPE', detail: 'must be an object' }], where) };
  const accepted = acceptedAtOnce(dto as Dto<T>, plain);
  if (accepted !== null) return { value: accepted as T };
  const reading: Reading = { unknown: CODES[where], tellsNames, instances: [], found: [], extras: [] };
  const value = instantiate(dto as Dto<T>, plain, [], reading);
  for (const { instance, dto: each, at } of reading.instances) {
    if (reading.found.length >= MOST_FAULTS) break;
    for (const [property, rule] of rulesOf(each)) {
      for (const finding of rule((instance as Record<string | symbol, unknown>)[property])) {
        add(reading, { ...finding, at: [...at, String(property), ...finding.at] });
      }
    }
  }
  if (reading.found.length > 0) return { faults: named(reading.found, where) };
  for (const join of reading.extras) join();
  return { value: value as T };
}

/** A member of a class whose members are all checked one by one, without a conversion. */
interface PlainMember {
  readonly name: string;
  /** Undefined if the member has no default. */
  readonly preset: unknown;
  readonly rule: Rule;
}

/** Null for a class that has other members than plain ones. */
const plainMembers = new WeakMap<Dto, readonly PlainMember[] | null>();

function plainMembersOf(dto: Dto): readonly PlainMember[] | null {
  const { members, open, minMembers, maxMembers } = dto.shape;
  const rules = rulesOf(dto);
  const isPlain =
    !open &&
    minMembers === 0 &&
    maxMembers === Infinity &&
    [...rules.keys()].every((name) => typeof name === 'string' && members.has(name)) &&
    [...members.values()].every(({ inner, default: preset }) => !inner && typeof preset !== 'object');
  if (!isPlain) return null;
  return [...members].map(([name, { default: preset }]) => ({
    name,
    preset,
    rule: rules.get(name) ?? (() => NOTHING),
  }));
}

/**
 * Returns the instance of a value that has no fault, if its class has only plain members. Returns null for all other
 * values. This function only saves time: most requests have no fault, and nothing has to be noted for them.
 */
function acceptedAtOnce(dto: Dto, plain: Readonly<Record<string, unknown>>): object | null {
  let members = plainMembers.get(dto);
  if (members === undefined) {
    members = plainMembersOf(dto);
    plainMembers.set(dto, members);
  }
  if (members === null) return null;
  const instance = Object.create(dto.prototype as object) as Record<string, unknown>;
  let known = 0;
  for (const { name, preset, rule } of members) {
    let value: unknown;
    if (Object.hasOwn(plain, name)) {
      known += 1;
      value = plain[name];
    }
    if (value === undefined) value = preset;
    if (rule(value).length > 0) return null;
    if (value !== undefined) instance[name] = value;
  }
  return known === Object.keys(plain).length ? instance : null;
}

function add({ found }: Reading, fault: Found): void {
  if (found.length < MOST_FAULTS) found.push(fault);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Makes the instance without its constructor, because otherwise absent fields would become members with the value
 * undefined. The rules of the object as a whole are checked here; `validate` checks the members.
 */
function instantiate(dto: Dto, plain: Record<string, unknown>, at: Way, reading: Reading): object {
  const { members, open, minMembers, maxMembers } = dto.shape;
  const instance = Object.create(dto.prototype as object) as Record<string, unknown>;
  reading.instances.push({ instance, dto, at });
  const names = Object.keys(plain);
  for (const name of names) {
    if (members.has(name)) continue;
    if (open) reading.extras.push(() => define(instance, name, plain[name]));
    else if (reading.found.length >= MOST_FAULTS) break;
    else add(reading, { at: [...at, name], code: reading.unknown, detail: detailOf(name, members, reading) });
  }
  if (names.length < minMembers) {
    add(reading, { at, code: 'TOO_FEW', detail: `must have at least ${count(minMembers, 'member')}` });
  } else if (names.length > maxMembers) {
    add(reading, { at, code: 'TOO_MANY', detail: `must have at most ${count(maxMembers, 'member')}` });
  }
  for (const [name, { default: preset, inner }] of members) {
    const value = Object.hasOwn(plain, name) ? plain[name] : undefined;
    if (value === undefined) {
      if (preset !== undefined)
        instance[name] = typeof preset === 'object' ? structuredClone(preset) : preset;
    } else {
      instance[name] = inner === undefined ? value : inside(inner, value, [...at, name], reading);
    }
  }
  return instance;
}

function define(instance: object, name: string, value: unknown): void {
  Object.defineProperty(instance, name, { value, writable: true, enumerable: true, configurable: true });
}

function detailOf(
  name: string,
  known: ReadonlyMap<string, unknown>,
  { unknown, tellsNames, found }: Reading,
): string {
  const detail = UNKNOWN[unknown];
  if (isLong(name)) return `${detail}; its name has ${name.length} characters`;
  const nearest = found.length < MOST_LOOKED_FOR ? nearestTo(name, known.keys()) : null;
  const names = known.size === 0 ? '' : ` (the known names are ${[...known.keys()].join(', ')})`;
  if (nearest !== null) return `${detail}; did you mean ${nearest}?${names}`;
  return tellsNames && found.length < MOST_LOOKED_FOR ? detail + names : detail;
}

/** A value of the wrong type is kept, so that the rules of its member refuse it. */
function inside(inner: Inner, value: unknown, at: Way, reading: Reading): unknown {
  if ('id' in inner)
    return typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value;
  if ('each' in inner) {
    if (Array.isArray(value)) {
      if (value.length > (inner.most ?? Infinity)) return value;
      return value.map((item: unknown, index) => inside(inner.each, item, [...at, index], reading));
    }
    if (!isRecord(value)) return value;
    const map = {};
    const names = Object.keys(value);
    if (names.length > (inner.most ?? Infinity)) return value;
    for (const name of names) define(map, name, inside(inner.each, value[name], [...at, name], reading));
    return map;
  }
  if (!isRecord(value)) return value;
  if ('dto' in inner) return instantiate(inner.dto(), value, at, reading);
  const kind = Object.hasOwn(value, inner.discriminator) ? value[inner.discriminator] : undefined;
  const dto = typeof kind === 'string' && Object.hasOwn(inner.dtos, kind) ? inner.dtos[kind] : undefined;
  return dto === undefined ? value : instantiate(dto(), value, at, reading);
}

/** Keeps the first fault of each place. */
function named(found: readonly Found[], where: Where): Fault[] {
  const faults = new Map<string, Fault>();
  for (const { at, code, detail } of found) {
    if (CODES[where] === 'UNKNOWN_PARAMETER') {
      const parameter = String(at[0]);
      if (!faults.has(parameter)) faults.set(parameter, { parameter, code, detail });
    } else {
      const pointer = pointerOf(at);
      if (!faults.has(pointer)) faults.set(pointer, { pointer, code, detail });
    }
  }
  return [...faults.values()];
}
