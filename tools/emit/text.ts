import { byName } from '../names.ts';

/** Source text that is written into a literal as it is. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value as TypeScript source. Members keep their order, and undefined members are left out. */
export function literal(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'undefined' : JSON.stringify(value);
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{ ${members.map(([name, inner]) => `${key(name)}: ${literal(inner)}`).join(', ')} }`;
}

/** A name as it is written in the declaration of a member. */
export function key(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A doc comment; empty when there is no text. */
export function comment(text: string | undefined): string {
  const lines = (text ?? '').trim().replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return lines[0] === '' ? '' : `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** `import { a, b } from './file.js';`, or an empty text when there is nothing to import. */
export function imports(file: string, names: readonly string[], type = false): string {
  const sorted = [...new Set(names)].toSorted(byName);
  return sorted.length === 0
    ? ''
    : `import ${type ? 'type ' : ''}{ ${sorted.join(', ')} } from '${file}.js';\n`;
}

export const HEADER =
  '// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.\n\n';
