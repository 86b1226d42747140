import { isUtf8 } from 'node:buffer';
import { MalformedRequest, MOST_FAULTS, type Fault } from '../errors/errors.js';
import { pointerOf } from './pointer.js';

export const MAX_DEPTH = 32;
/**
 * The maximum number of values in a JSON text, in which an empty list or object counts as two. A batch of a thousand
 * items with all their members has half as many.
 */
const MAX_VALUES = 20_000;

/**
 * Reads a JSON text (RFC 8259) more strictly than `JSON.parse`. Invalid UTF-8 is refused, not replaced. A member that
 * is given twice or is named `__proto__` is a fault. The first hundred faults are returned, not thrown, so that they
 * can be reported together with the faults that validation finds. A text that is nested deeper than 32 levels, or has
 * more than 20,000 values, is not parsed. The result then has one fault, and its value is undefined.
 *
 * @throws MalformedRequest when the text is not JSON
 */
export function readJson(bytes: Uint8Array): { value: unknown; faults: readonly Fault[] } {
  if (bytes.length === 0) throw new MalformedRequest('The request has no body. Send a JSON body.');
  if (!isUtf8(bytes)) throw new MalformedRequest('The body is not valid UTF-8.');
  const excess = excessOf(bytes);
  if (excess) return { value: undefined, faults: [{ pointer: '#', ...excess }] };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MalformedRequest(`The body is not JSON: ${(error as Error).message.slice(0, 200)}.`);
  }
  return { value, faults: faultsIn(text) };
}

/**
 * Counts nesting and values in one loop, from the brackets and commas outside of strings. The text may be invalid JSON.
 */
function excessOf(bytes: Uint8Array): Pick<Fault, 'code' | 'detail'> | null {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === 0x22) i = endOfText(bytes, i);
    else if (byte === 0x2c) values += 1;
    else if (byte === 0x7b || byte === 0x5b) {
      values += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  if (deepest > MAX_DEPTH) {
    const detail = `must not be nested deeper than ${MAX_DEPTH} levels; it is ${deepest} levels deep`;
    return { code: 'TOO_DEEP', detail };
  }
  if (values <= MAX_VALUES) return null;
  return {
    code: 'TOO_MANY',
    detail: `must have at most ${MAX_VALUES} values, including all nested values`,
  };
}

/** The nesting depth of a value. The function is recursive, so call it only with a value whose depth is bounded. */
export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  for (const each of Object.values(value)) deepest = Math.max(deepest, depthOf(each));
  return deepest + 1;
}

/** The end of a string that may be unterminated. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let i = start + 1; i < bytes.length; i++) {
    if (bytes[i] === 0x22) return i;
    if (bytes[i] === 0x5c) i += 1;
  }
  return bytes.length;
}

/** A search in a list with at most this number of names takes less time than the creation of a set. */
const FEW_NAMES = 8;

/** The names of the members of an object that were seen so far. */
class Names {
  private readonly list: string[] = [];
  private set: Set<string> | null = null;

  /** Returns false if the name was added before. */
  add(name: string): boolean {
    const { list } = this;
    if (this.set === null && list.length === FEW_NAMES) this.set = new Set(list);
    if (this.set?.has(name) ?? list.includes(name)) return false;
    if (this.set === null) list.push(name);
    else this.set.add(name);
    return true;
  }
}

interface Level {
  /** Null in an array. */
  readonly names: Names | null;
  step: string | number;
}

/**
 * Finds members that are given twice or are named `__proto__`. The text is known to be JSON, so only strings, brackets
 * and commas have to be read.
 */
function faultsIn(text: string): Fault[] {
  const faults: Fault[] = [];
  const levels: Level[] = [];
  const pointer = (): string => pointerOf(levels.map((level) => level.step));
  let nameNext = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x7b: // {
      case 0x5b: {
        // [
        const isObject = text.charCodeAt(i) === 0x7b;
        levels.push({ names: isObject ? new Names() : null, step: isObject ? '' : 0 });
        nameNext = isObject;
        break;
      }
      case 0x7d: // }
      case 0x5d: // ]
        levels.pop();
        nameNext = false;
        break;
      case 0x2c: {
        // ,
        const level = levels.at(-1);
        if (level?.names) nameNext = true;
        else if (level) level.step = (level.step as number) + 1;
        break;
      }
      case 0x22: {
        // "
        const end = endOfString(text, i);
        const level = levels.at(-1);
        if (nameNext && level?.names) {
          nameNext = false;
          const name = nameIn(text.slice(i + 1, end));
          level.step = name;
          if (!level.names.add(name)) {
            faults.push({ pointer: pointer(), code: 'DUPLICATE_MEMBER', detail: 'must not be given twice' });
          }
          if (name === '__proto__') {
            faults.push({
              pointer: pointer(),
              code: 'UNKNOWN_MEMBER',
              detail: 'must not be given: there is no such member',
            });
          }
          // One name may have two faults, so there may be one fault too many.
          if (faults.length >= MOST_FAULTS) return faults.slice(0, MOST_FAULTS);
        }
        i = end;
        break;
      }
      default:
    }
  }
  return faults;
}

/** @param text the text of a name between its quotation marks */
function nameIn(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; ; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return i;
    if (code === 0x5c) i++;
  }
}
