import { isDeepStrictEqual } from 'node:util';
import { applyPatch, type Operation } from 'rfc6902';
import { JsonPatch as PatchBody, JsonPatchOperation } from '../../generated/dto.js';
import { rulesOf, type Rule } from '../../rules/members.js';
import { PatchConflict, ValidationFailed, type Fault } from '../errors/errors.js';
import { depthOf, MAX_DEPTH } from './json.js';
import { stepsOf, writtenBy } from './patched-members.js';
import type { Present } from './representation.js';
import { requireAsShown } from './read-only-echo.js';
import { validate } from './validate.js';

export const JSON_PATCH = 'application/json-patch+json';

/**
 * The maximum number of characters of JSON that a patch may copy and move in total. There is a bound because repeated
 * copies can grow exponentially.
 */
const MOST_COPIED = 1_048_576;
/** The members of each operation (RFC 6902, section 4), besides `op`. */
const MEMBERS: Readonly<Record<JsonPatchOperation['op'], readonly string[]>> = {
  add: ['path', 'value'],
  remove: ['path'],
  replace: ['path', 'value'],
  move: ['path', 'from'],
  copy: ['path', 'from'],
  test: ['path', 'value'],
};
/** A pointer with one of these names could lead from the document to the objects of JavaScript itself. */
const BARRED = new Set(['__proto__', 'constructor', 'prototype']);
/**
 * The rule of the contract for `path`. This rule also applies to `from`, whose description in the contract
 * refers to `path`.
 */
const pointerRule = rulesOf(JsonPatchOperation).get('path') as Rule;

type Read = { readonly operations: readonly Operation[] } | { readonly faults: readonly Fault[] };

/** Returns the operations of a JSON patch (RFC 6902), or its faults with pointers into the patch. */
export function readOperations(value: unknown): Read {
  const result = validate(PatchBody, { operations: value }, 'body');
  if ('faults' in result) return { faults: result.faults.map(inPatch) };
  const { operations } = result.value;
  const faults = operations.flatMap((each, index) => faultsOf(each, `#/${index}`));
  return faults.length > 0 ? { faults } : { operations: operations.map(bare) };
}

/**
 * Turns a fault of `PatchBody` into a fault of the patch. A patch is only the list of operations, without an object
 * around it, so `#/operations/0` becomes `#/0`. Some faults of a patch have codes of their own.
 */
function inPatch({ pointer = '', code, detail }: Fault): Fault {
  const at = `#${pointer.slice('#/operations'.length)}`;
  if (/^#\/\d+\/op$/.test(at)) return { pointer: at, code: 'NOT_ALLOWED', detail };
  return { pointer: at, code: /^#\/\d+\/path$/.test(at) ? codeOfPointer(code) : code, detail };
}

function codeOfPointer(code: string): string {
  return code === 'WRONG_TYPE' || code === 'PATTERN' ? 'FORMAT' : code;
}

/**
 * Leaves out the members that this kind of operation does not have. A recipient ignores such members (RFC 6902, section
 * 4).
 */
function bare(operation: JsonPatchOperation): Operation {
  const names = ['op', ...MEMBERS[operation.op]];
  return Object.fromEntries(names.map((name) => [name, operation[name]])) as unknown as Operation;
}

/** The faults that depend on the kind of the operation. */
function faultsOf(operation: JsonPatchOperation, pointer: string): readonly Fault[] {
  return MEMBERS[operation.op].flatMap((name): readonly Fault[] => {
    const at = `${pointer}/${name}`;
    const value = operation[name];
    if (value === undefined) return [{ pointer: at, code: 'REQUIRED', detail: 'must be given' }];
    if (name === 'value') return [];
    const [found] = pointerRule(value);
    if (found !== undefined) return [{ pointer: at, code: codeOfPointer(found.code), detail: found.detail }];
    return stepsOf(value as string).some((step) => BARRED.has(step))
      ? [{ pointer: at, code: 'NOT_ALLOWED', detail: 'must not contain __proto__, constructor or prototype' }]
      : [];
  });
}

/** A patch with well-formed operations. It is applied to the representation of a row in one version. */
export class JsonPatch {
  /**
   * @param readOnly members that no client may set
   * @param accept validates members as if a request had sent only these members
   */
  constructor(
    private readonly operations: readonly Operation[],
    private readonly readOnly: readonly string[],
    private readonly present: Present,
    private readonly accept: (members: Record<string, unknown>) => object,
  ) {}

  /**
   * Applies the patch to a row that the present act has locked. Returns the members that the patch writes, without the
   * read-only ones.
   *
   * @throws PatchConflict when the patch does not fit the row: a `test` fails, or a pointer leads to no value
   * @throws ValidationFailed
   */
  changesOf(entity: object): object {
    const shown = this.present(entity);
    const patched = this.applied(shown);
    if (typeof patched !== 'object' || patched === null || Array.isArray(patched)) {
      throw new ValidationFailed([
        { pointer: '#', code: 'WRONG_TYPE', detail: 'must still be an object after the patch' },
      ]);
    }
    const result = patched as Record<string, unknown>;
    const missing = Object.keys(shown).filter((name) => !Object.hasOwn(result, name));
    if (missing.length > 0) {
      throw new ValidationFailed(
        missing.map((name) => ({ pointer: `#/${name}`, code: 'REQUIRED', detail: 'cannot be removed' })),
      );
    }
    const isWritten = writtenBy(this.operations);
    const written = Object.entries(result).filter(([name]) => isWritten(name));
    const isReadOnly = ([name]: [string, unknown]): boolean => this.readOnly.includes(name);
    requireAsShown(Object.fromEntries(written.filter(isReadOnly)), shown);
    const others = written.filter((each) => !isReadOnly(each));
    return others.length === 0 ? {} : this.accept(Object.fromEntries(others));
  }

  private applied(shown: object): unknown {
    // The document is one level below the root. So the pointer "", which means the whole document, needs no special
    // treatment.
    const holder = { document: structuredClone(shown) as unknown };
    let copied = 0;
    for (const [index, operation] of this.operations.entries()) {
      const place = `#/${index}`;
      const path = below(operation.path);
      let value: unknown = 'value' in operation ? operation.value : null;
      if ('from' in operation) {
        value = valueAt(holder, below(operation.from), `${place}/from`);
        copied += JSON.stringify(value).length;
        if (copied > MOST_COPIED) {
          const detail = `must not copy and move more than ${MOST_COPIED} characters of JSON`;
          throw new ValidationFailed([{ pointer: place, code: 'TOO_LARGE', detail }]);
        }
      }
      if (operation.op === 'add' || 'from' in operation) {
        const parent = path.slice(0, path.lastIndexOf('/'));
        const container = operation.path === '' ? holder : valueAt(holder, parent, `${place}/path`);
        // Without this check, the package rfc6902 would try to set a member of a string, for example.
        if (typeof container !== 'object' || container === null)
          throw nothing(`${place}/path`, operation.path);
      } else {
        const present = valueAt(holder, path, `${place}/path`);
        if (operation.op === 'test' && !isDeepStrictEqual(present, value)) {
          throw conflict(`${place}/value`, 'TEST_FAILED', `is not equal to the value at «${operation.path}»`);
        }
      }
      // The package rfc6902 would compare in quadratic time, so the comparison was done above.
      if (operation.op === 'test') continue;
      // The depth of the new value is the number of steps of its path plus its own depth.
      const depth = stepsOf(operation.path).length + depthOf(value);
      if (depth > MAX_DEPTH) {
        const detail = `must not make the resource deeper than ${MAX_DEPTH} levels; it would be ${depth} levels deep`;
        throw new ValidationFailed([{ pointer: place, code: 'TOO_DEEP', detail }]);
      }
      const moved = 'from' in operation ? { ...operation, from: below(operation.from) } : operation;
      const [error] = applyPatch(holder, [{ ...moved, path }]);
      if (error) throw nothing(`${place}/path`, operation.path);
    }
    return holder.document;
  }
}

function below(path: string): string {
  return `/document${path}`;
}

/** The value at a pointer. Only own members and items are followed, and no inherited properties. */
function valueAt(root: unknown, pointer: string, place: string): unknown {
  let value = root;
  for (const step of stepsOf(pointer)) {
    const isThere =
      typeof value === 'object' &&
      value !== null &&
      Object.hasOwn(value, step) &&
      (value as Record<string, unknown>)[step] !== undefined &&
      (!Array.isArray(value) || /^(0|[1-9]\d*)$/.test(step));
    if (!isThere) throw nothing(place, pointer.slice(below('').length));
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function nothing(place: string, pointer: string): PatchConflict {
  return conflict(place, 'NOTHING_THERE', `leads to «${pointer}», where there is no value`);
}

function conflict(pointer: string, code: string, detail: string): PatchConflict {
  return new PatchConflict([{ pointer, code, detail: detail.slice(0, 300) }]);
}
