import { isUtf8 } from 'node:buffer';
import { MalformedRequest, MOST_FAULTS, type Fault } from '../errors.js';
import { pointerOf } from './pointer.js';

const MAX_DEPTH = 32;

/**
 * Reads a JSON text (RFC 8259) more strictly than `JSON.parse`: invalid UTF-8 is refused instead of being replaced,
 * and a member given twice, a member named `__proto__` and nesting deeper than 32 levels are faults. The faults
 * are returned, the first hundred, and not thrown, so that they can be reported with those that validation finds.
 *
 * @throws MalformedRequest when it is no JSON at all
 */
export function readJson(bytes: Uint8Array): { value: unknown; faults: readonly Fault[] } {
  if (bytes.length === 0) throw new MalformedRequest('A body is needed: send JSON.');
  if (!isUtf8(bytes)) throw new MalformedRequest('The body is not valid UTF-8.');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MalformedRequest(`The body is not JSON: ${(error as Error).message.slice(0, 200)}.`);
  }
  return { value, faults: faultsIn(text) };
}

interface Level {
  /** The members seen so far; null in an array. */
  readonly names: Set<string> | null;
  step: string | number;
}

/** Walks a text that is known to be JSON, so that only strings, brackets and commas need a look. */
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
        if (levels.length >= MAX_DEPTH) {
          return [
            ...faults,
            {
              pointer: pointer(),
              code: 'TOO_DEEP',
              detail: `must not be nested deeper than ${MAX_DEPTH} levels; it is ${depthOf(text)} levels deep`,
            },
          ];
        }
        const isObject = text.charCodeAt(i) === 0x7b;
        levels.push({ names: isObject ? new Set() : null, step: isObject ? '' : 0 });
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
          const name = JSON.parse(text.slice(i, end + 1)) as string;
          level.step = name;
          if (level.names.has(name)) {
            faults.push({ pointer: pointer(), code: 'DUPLICATE_MEMBER', detail: 'must not be given twice' });
          }
          if (name === '__proto__') {
            faults.push({ pointer: pointer(), code: 'UNKNOWN_MEMBER', detail: 'is not a member here' });
          }
          if (faults.length >= MOST_FAULTS) return faults;
          level.names.add(name);
        }
        i = end;
        break;
      }
      default:
    }
  }
  return faults;
}

/** Of a text that is known to be JSON. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = endOfString(text, i);
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; ; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return i;
    if (code === 0x5c) i++;
  }
}
