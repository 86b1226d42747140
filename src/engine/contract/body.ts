import { ValidationFailed, type Fault } from '../errors/errors.js';
import type { Operation } from '../../generated/operations.js';
import { readJson } from './json.js';
import { addMoneyFaults } from './money-faults.js';
import { JSON_PATCH, JsonPatch, readOperations } from './json-patch.js';
import { knownMembers } from './patched-members.js';
import { pointerOf } from './pointer.js';
import type { Present } from './representation.js';
import { sentBackIn, type ReadOnlyEcho } from './read-only-echo.js';
import { validate } from './validate.js';
import type { Currency } from '../values/currency.js';
import type { AnyRequest } from './any-request.js';

type Body = NonNullable<Operation['body']>;
type Members = Readonly<Record<string, unknown>>;

export interface ReadBody {
  /** The value for the handler; undefined if there is none. Use it only if no fault was found. */
  readonly value: object | undefined;
  readonly patch: JsonPatch | null;
  readonly sentBack: ReadOnlyEcho | null;
  /**
   * The operations of a JSON patch, or the read-only members of any other body. When a request with an
   * `Idempotency-Key` is sent again, `value` and `said` must be the same as before.
   */
  readonly said: readonly unknown[];
}

export const NO_BODY: ReadBody = { value: undefined, patch: null, sentBack: null, said: [] };

/**
 * Returns a function that reads the body of an operation. The returned function adds to `faults` the faults of the body
 * that do not depend on the row.
 */
export function bodyReader(
  body: Body,
  tellsNames: boolean,
): (request: AnyRequest, faults: Fault[]) => ReadBody {
  const { dto, readOnly } = body;
  const takesPatch = body.mediaTypes.includes(JSON_PATCH);
  return (request, faults) => {
    const read = readJson((request.body as Uint8Array | undefined) ?? new Uint8Array());
    add(read.faults, faults);
    // The text was too deep or had too many values, and was not parsed.
    if (read.value === undefined) return NO_BODY;
    const { present, currency } = request.routeOptions.config as { present: Present; currency: Currency };
    const params = request.params as Members;
    if (takesPatch && isJsonPatch(request)) {
      const result = read.faults.length > 0 ? { operations: [] } : readOperations(read.value);
      if ('faults' in result) add(result.faults, faults);
      const operations = 'operations' in result ? result.operations : [];
      const patch = new JsonPatch(operations, readOnly, present, (members) =>
        acceptAll(dto, members, currency),
      );
      const known = knownMembers(operations, (name) => dto.shape.members.has(name));
      add(faultsIn(dto, known), faults);
      add(unlikeAddress(known, params, readOnly), faults);
      addMoneyFaults(dto, known, currency, faults);
      leaveOut(known, readOnly);
      return { value: known, patch, sentBack: null, said: operations };
    }
    const value = accept(validate(dto, read.value, 'body', tellsNames), faults);
    add(unlikeAddress((read.value ?? {}) as Members, params, readOnly), faults);
    addMoneyFaults(dto, read.value, currency, faults);
    if (value === undefined || readOnly.length === 0) return { ...NO_BODY, value };
    leaveOut(value, readOnly);
    const ofTheRow = readOnly.filter((name) => params[name] === undefined);
    const sentBack = sentBackIn(read.value as Members, ofTheRow, present);
    return { value, patch: null, sentBack, said: sentBack === null ? [] : [sentBack.members] };
  };
}

function isJsonPatch({ headers }: AnyRequest): boolean {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === JSON_PATCH;
}

export function accept<T extends object>(
  result: { value: T } | { faults: readonly Fault[] },
  faults: Fault[],
): T | undefined {
  if ('value' in result) return result.value;
  add(result.faults, faults);
  return undefined;
}

function add(more: readonly Fault[], faults: Fault[]): void {
  faults.push(...more);
}

function acceptAll(dto: Body['dto'], members: Members, currency: Currency): object {
  const result = validate(dto, members, 'body');
  if ('value' in result) return result.value;
  addMoneyFaults(dto, members, currency, result.faults);
  throw new ValidationFailed(result.faults);
}

/** The faults of these members of a body. Faults at other places, such as a missing member, are left out. */
function faultsIn(dto: Body['dto'], members: Members): readonly Fault[] {
  const result = validate(dto, members, 'body');
  if ('value' in result) return [];
  const places = Object.keys(members).map((name) => pointerOf([name]));
  return result.faults.filter(({ pointer = '' }) =>
    places.some((place) => pointer === place || pointer.startsWith(`${place}/`)),
  );
}

/** The faults of members that are also in the address, but with another value. */
function unlikeAddress(members: Members, params: Members, readOnly: readonly string[]): readonly Fault[] {
  return (
    readOnly
      .filter((name) => params[name] !== undefined && members[name] !== undefined)
      // `validate` has already refused an object, because it has the wrong type. `String` would throw for an object
      // such as `{"toString": 1}`.
      .filter((name) => typeof members[name] !== 'object')
      .filter((name) => String(members[name]) !== params[name])
      .map((name) => ({
        pointer: `#/${name}`,
        code: 'READ_ONLY',
        detail: `must be ${String(params[name])} or left out`,
      }))
  );
}

/** Removes read-only members, so that no handler gets them. */
function leaveOut(value: object, readOnly: readonly string[]): void {
  for (const name of readOnly) delete (value as Record<string, unknown>)[name];
}
