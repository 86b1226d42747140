import { readFile } from 'node:fs/promises';
import { Lexer, LineCounter, parseDocument } from 'yaml';
import { WrongUsage } from './failure.js';
import type { Kind } from './members.js';
import { ITEM_MEMBERS, MEMBERS } from './members.js';
import { needsId, type Items, type Mapping, type Named } from './mapping.js';
import { MappingFaults, MappingNode } from './mapping-node.js';
import { rulesFrom } from './mapping-rules.js';

export const SOURCE = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Reads a mapping, and checks it before the data is read. Unknown keys, wrong types and missing members are faults.
 *
 * @param source replaces the source that the mapping names
 * @throws WrongUsage if the file cannot be read, or if the mapping has faults. The message then names the file, the
 *   line and the key of each fault
 */
export async function readMapping(file: string, kind: Kind, source: string | undefined): Promise<Mapping> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new WrongUsage(`The mapping ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return parseMapping(file, text, kind, source);
}

/** @throws WrongUsage as `readMapping` */
export function parseMapping(file: string, text: string, kind: Kind, source?: string): Mapping {
  const wrong = wrongLevels(text);
  if (wrong !== null) throw new WrongUsage(`${file}, line ${wrong.line}: ${wrong.reason}.`);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    version: '1.2',
  });
  const faults = new MappingFaults(file, lines);
  // After a fault of the syntax, such as a missing bracket, everything that follows may look wrong too. So only this
  // fault is reported.
  const broken = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY');
  for (const { message, pos } of broken ? [broken] : document.errors) {
    faults.add(pos[0], `${message.split('\n')[0]}.`);
  }
  faults.throwIfAny();
  const mapping = mappingFrom(new MappingNode(document.contents, '', faults), kind, source);
  faults.throwIfAny();
  return mapping;
}

/**
 * A rule needs only a few levels. The time of the parser grows with the square of the levels, and thousands of levels
 * use up its stack.
 */
const MOST_LEVELS = 50;
/**
 * The maximum number of levels that begin in one line, or in one entry between brackets. For example, `- - a` begins
 * two levels.
 */
const MOST_LEVELS_IN_A_LINE = 9;

/**
 * The first line with too many levels, or with a bracket that closes nothing; null if there is no such line. The parser
 * takes much time for many such brackets. The lexer of the parser finds the brackets and dashes. So those inside texts
 * and comments do not count. The lexer takes linear time. Levels by indentation need no bound: their number grows only
 * with the square root of the length of the text, because each line repeats the indentation.
 */
function wrongLevels(text: string): { readonly line: number; readonly reason: string } | null {
  let line = 1;
  /** The number of levels that have begun in this line, and in the present entry of each open bracket. */
  const begun = [0];
  for (const token of new Lexer().lex(text)) {
    const last = begun.length - 1;
    if (token === '[' || token === '{') begun.push(0);
    else if (token === ']' || token === '}') begun.pop();
    else if (token === '-' || token === '?' || token === ':') begun[last] = (begun[last] ?? 0) + 1;
    else if (last === 0 ? /^\r?\n$/.test(token) : token === ',') begun[last] = 0;
    const levels = begun.at(-1);
    if (levels === undefined) return { line, reason: `the bracket «${token}» closes nothing` };
    if (begun.length > MOST_LEVELS + 1) return { line, reason: `it has more than ${MOST_LEVELS} levels` };
    if (levels > MOST_LEVELS_IN_A_LINE) {
      return {
        line,
        reason: `more than ${MOST_LEVELS_IN_A_LINE} levels begin in one line, or in one entry between brackets`,
      };
    }
    line += token.split('\n').length - 1;
  }
  return null;
}

function mappingFrom(top: MappingNode, kind: Kind, source: string | undefined): Mapping {
  const keys = ['source', 'absent', 'delimiter', 'fields', ...(kind === 'orders' ? ['items'] : [])];
  const { source: named, absent, delimiter, fields, items } = top.members(keys, ['fields']);
  const name = source ?? named?.text() ?? '';
  if (named === undefined && source === undefined) {
    top.fault('must name the source of the data, as in «source: northwind», or give --source');
  } else if (!SOURCE.test(name)) {
    (named ?? top).fault(
      'must be a name of at most 64 small letters, digits, dots, dashes and underscores, with a letter or digit first',
    );
  }
  const mark = delimiter?.text() ?? ',';
  if (mark.length !== 1 || mark === '"') delimiter?.fault('must be one character, such as ";"');
  const columns: Named[] = [];
  const itemColumns: Named[] = [];
  return {
    source: name,
    fields: fields === undefined ? {} : rulesFrom(fields, MEMBERS[kind], columns, needsId(kind)),
    items: items === undefined ? null : itemsFrom(items, itemColumns),
    absent: new Set(absent?.texts() ?? ['']),
    delimiter: mark,
    columns,
    itemColumns,
    isOwn: false,
  };
}

/**
 * `order_id` is for lines of orders in a file of their own. `list` names the member that holds the lines in NDJSON. A
 * mapping has exactly one of `order_id` and `list`.
 */
function itemsFrom(node: MappingNode, columns: Named[]): Items {
  const { list, fields } = node.members(['list', 'fields'], ['fields']);
  const { order_id: orderId, ...others } = ITEM_MEMBERS;
  const members = list === undefined && orderId !== undefined ? { order_id: orderId, ...others } : others;
  return {
    list: list?.text() ?? 'items',
    fields: fields === undefined ? {} : rulesFrom(fields, members, columns, false),
  };
}
