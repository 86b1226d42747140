import { convert, expectation, MOST_TEXT, stepped, type Value } from './convert.js';
import type { TextSource, Rule, Rules } from './mapping.js';
import { shown, type Fault, type RawRow } from './raw-row.js';
import type { Members } from './members.js';

export interface Form {
  /** Texts that mean that there is no value. */
  readonly absent: ReadonlySet<string>;
  /**
   * Whether the file is CSV of the store's own format. In such a file, some texts begin with an apostrophe, so that no
   * spreadsheet reads them as formulas.
   */
  readonly isGuarded: boolean;
  /**
   * Whether the result leaves out a member that is not required, if the row does not have the column of the member at
   * all. An update then keeps the stored value. If this setting is false, the member is null, as for a column without a
   * value.
   */
  readonly leavesOut: boolean;
}

/**
 * The result of a mapping for a row: for each member with a rule, its value. The value is null if the row has none. See
 * also `leavesOut`.
 */
export type Mapped = Readonly<Record<string, Value | null>>;

/** @param faults the list to which every fault of the row is added */
export function applyRules(
  row: RawRow,
  rules: Rules,
  members: Members,
  { absent, isGuarded, leavesOut }: Form,
  faults: Fault[],
): Mapped {
  const cell = (column: string): string | null => textOf(row, column, absent, isGuarded, faults);
  const mapped: Record<string, Value | null> = {};
  for (const [name, rule] of Object.entries(rules)) {
    if (leavesOut && !rule.required && isWithout(row, rule)) continue;
    const before = faults.length;
    const text = textBy(rule, cell);
    mapped[name] = null;
    if (faults.length > before) continue;
    const column = columnOf(rule.textSource) ?? name;
    if (text === null) {
      if (rule.required) faults.push({ column, value: shown(row[column]), reason: 'must not be absent' });
      continue;
    }
    if (text.length > MOST_TEXT && isConverted(rule)) {
      const reason = `must have at most ${MOST_TEXT} characters before and after each conversion`;
      faults.push({ column, value: shown(text), reason });
      continue;
    }
    const { type } = members[name] ?? { type: 'text' };
    const reading = readingOf(rule, cell);
    const value = convert(type, text, reading);
    if (value === null) faults.push({ column, value: shown(text), reason: expectation(type, reading) });
    mapped[name] = value;
  }
  return mapped;
}

function isWithout(row: RawRow, { textSource }: Rule): boolean {
  return 'column' in textSource && !Object.hasOwn(row, textSource.column);
}

/** Whether the text of the rule can differ from the text of its column. */
function isConverted({ textSource, steps }: Rule): boolean {
  return steps.length > 0 || !('column' in textSource);
}

type Cell = (column: string) => string | null;

function textBy({ textSource, steps, fallback }: Rule, cell: Cell): string | null {
  const text = textIn(textSource, cell);
  if (text === null) return fallback;
  return stepped(text, steps);
}

function textIn(textSource: TextSource, cell: Cell): string | null {
  if ('column' in textSource) return cell(textSource.column);
  if ('value' in textSource) return textSource.value;
  if ('template' in textSource) {
    let text = '';
    for (const part of textSource.template) {
      const value = typeof part === 'string' ? part : cell(part.column);
      // If a column of the template is empty, there is no text. If the text lacked the part from this column, many rows
      // would get the same text.
      if (value === null) return null;
      text += typeof part === 'string' ? part : stepped(value, part.steps);
      if (text.length > MOST_TEXT) return text;
    }
    return text;
  }
  const branch = branchOf(textSource, cell);
  return branch === null ? null : textBy(branch, cell);
}

function branchOf(textSource: Extract<TextSource, { condition: unknown }>, cell: Cell): Rule | null {
  const { column, is, not } = textSource.condition;
  const text = cell(column);
  const holds = text !== null && (is === null || is.includes(text));
  return holds === not ? textSource.otherwise : textSource.met;
}

/**
 * The settings that say how the text is read. If the rule has a condition, they come from the branch (`then` or `else`)
 * that gave the text.
 */
function readingOf(rule: Rule, cell: Cell): Rule['reading'] {
  const branch = 'condition' in rule.textSource ? branchOf(rule.textSource, cell) : null;
  return branch === null ? rule.reading : readingOf(branch, cell);
}

/** The column that a fault of the member is about. */
export function columnOf(textSource: TextSource): string | null {
  if ('column' in textSource) return textSource.column;
  if ('template' in textSource) {
    const part = textSource.template.find((each) => typeof each !== 'string');
    return part === undefined ? null : part.column;
  }
  return null;
}

// Matches the apostrophe that `export` put before the text, so that no spreadsheet reads the text as a formula.
const GUARDED = /^'(?=[=+\-@\t\r'])/;

function textOf(
  row: RawRow,
  column: string,
  absent: ReadonlySet<string>,
  isGuarded: boolean,
  faults: Fault[],
): string | null {
  const value = Object.hasOwn(row, column) ? row[column] : undefined;
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') {
    if (absent.has(value.trim())) return null;
    return isGuarded ? value.replace(GUARDED, '') : value;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!faults.some((fault) => fault.column === column)) {
    faults.push({ column, value: shown(value), reason: 'must be a text, a number, true or false' });
  }
  return null;
}
