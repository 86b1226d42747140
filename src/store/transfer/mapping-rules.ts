import { DEFAULT_READING, replacement, textStep, type Reading, type TextStep } from './convert.js';
import { datePattern } from './date-pattern.js';
import type { MappingNode } from './mapping-node.js';
import type { Condition, Named, TextSource, Rule, Rules } from './mapping.js';
import type { MemberRule, Members, MemberType } from './members.js';
import { faultOfBraces, templateParts } from './template.js';

/** The maximum number of characters of a replacement. A text of a row may contain the replaced text many times. */
const MOST_REPLACEMENT = 200;
/**
 * The maximum number of conversions of a member, including those in its templates and branches. Each conversion may
 * run for every row.
 */
const MOST_STEPS = 10;
const SOURCES = ['column', 'value', 'template', 'if'] as const;
const OF_TYPE: Readonly<Record<MemberType, readonly string[]>> = {
  text: [],
  decimal: ['decimal_mark'],
  integer: [],
  boolean: ['true', 'false'],
  instant: ['date'],
};

/** Collects the columns in the rule of a member, and counts its conversions. */
interface Found {
  readonly columns: Named[];
  steps: number;
}

/**
 * @param columns the list to which the columns in the rules are added
 * @param isIdNeeded whether there must be a rule for `id`
 */
export function rulesFrom(node: MappingNode, members: Members, columns: Named[], isIdNeeded: boolean): Rules {
  const needed = Object.keys(members).filter(
    (name) => members[name]?.required !== false && (name !== 'id' || isIdNeeded),
  );
  const given = node.members(Object.keys(members), needed);
  const rules: Record<string, Rule> = {};
  for (const [name, member] of Object.entries(members)) {
    const rule = given[name];
    if (rule !== undefined) rules[name] = ruleFrom(rule, member, { columns, steps: 0 });
  }
  return rules;
}

/** Reads a rule. A rule is a mapping with members, or only the name of a column. */
function ruleFrom(node: MappingNode, { type, required }: MemberRule, found: Found): Rule {
  if (node.isScalar) {
    const column = node.text();
    found.columns.push({ column, place: node.place });
    return {
      textSource: { column },
      steps: [],
      reading: DEFAULT_READING,
      fallback: null,
      required: required !== false,
    };
  }
  const given = node.members([
    ...SOURCES,
    'then',
    'else',
    'convert',
    'default',
    'required',
    ...OF_TYPE[type],
  ]);
  const isRequired = given['required']?.flag() ?? required !== false;
  if (required === true && !isRequired) given['required']?.fault('cannot be false here');
  return {
    textSource: textSourceFrom(node, given, type, found),
    steps: given['convert'] === undefined ? [] : stepsFrom(given['convert'], found),
    reading: readingFrom(given),
    fallback: given['default']?.text() ?? null,
    required: isRequired,
  };
}

type Template = Extract<TextSource, { template: unknown }>['template'];
type Given = Partial<Record<string, MappingNode>>;

function textSourceFrom(node: MappingNode, given: Given, type: MemberType, found: Found): TextSource {
  const sources = SOURCES.filter((name) => given[name] !== undefined);
  if (sources.length !== 1) node.fault(`must have exactly one of ${SOURCES.join(', ')}`);
  for (const name of ['then', 'else']) {
    if (given[name] && !given['if']) given[name].fault('is allowed only with «if»');
  }
  if (given['column']) {
    const column = given['column'].text();
    found.columns.push({ column, place: given['column'].place });
    return { column };
  }
  if (given['template']) return { template: templateFrom(given['template'], found) };
  if (given['if']) {
    const branch = (member: MappingNode): Rule => ruleFrom(member, { type, required: false }, found);
    const condition = conditionFrom(given['if'], found.columns);
    const met = given['then'] ? branch(given['then']) : null;
    const otherwise = given['else'] ? branch(given['else']) : null;
    if (met) return { condition, met, otherwise };
    node.fault('must have «then» with «if»');
    return { value: '' };
  }
  return { value: given['value']?.text() ?? '' };
}

function conditionFrom(node: MappingNode, columns: Named[]): Condition {
  const {
    column,
    present,
    is,
    is_not: isNot,
  } = node.members(['column', 'present', 'is', 'is_not'], ['column']);
  const tests = [present, is, isNot].filter((test) => test !== undefined);
  if (tests.length !== 1) node.fault('must have exactly one of present, is, is_not');
  const name = column?.text() ?? '';
  if (column) columns.push({ column: name, place: column.place });
  return {
    column: name,
    is: (is ?? isNot)?.texts() ?? null,
    not: present === undefined ? isNot !== undefined : !present.flag(),
  };
}

function templateFrom(node: MappingNode, found: Found): Template {
  const text = node.text();
  const fault = faultOfBraces(text);
  if (fault !== null) node.fault(fault);
  return templateParts(text).map((part) => {
    if (typeof part === 'string') return part;
    const { column, steps } = part;
    found.columns.push({ column, place: node.place });
    count(node, steps.length, found);
    return { column, steps: steps.map((name) => namedStep(node, name)) };
  });
}

function stepsFrom(node: MappingNode, found: Found): TextStep[] {
  const steps = node.isList ? node.list() : [node];
  count(node, steps.length, found);
  return steps.map((step) => {
    if (step.isScalar) return namedStep(step, step.text());
    const { replace, with: by } = step.members(['replace', 'with'], ['replace', 'with']);
    const [from, to] = [replace?.text() ?? '', by?.text() ?? ''];
    if (from === '') replace?.fault('must not be empty');
    if (to.length > MOST_REPLACEMENT) by?.fault(`must have at most ${MOST_REPLACEMENT} characters`);
    return replacement(from, to);
  });
}

/** Counts the conversions of a member. A fault is reported only at the place where the count passes the bound. */
function count(node: MappingNode, more: number, found: Found): void {
  const before = found.steps;
  found.steps += more;
  if (before > MOST_STEPS || found.steps <= MOST_STEPS) return;
  node.fault(`has too many conversions: a member has at most ${MOST_STEPS}, including those of its branches`);
}

function namedStep(node: MappingNode, name: string): TextStep {
  const step = textStep(name);
  if (typeof step === 'function') return step;
  node.fault(step);
  return (text) => text;
}

function readingFrom(given: Given): Reading {
  const mark = given['decimal_mark']?.text() ?? DEFAULT_READING.decimalMark;
  if (mark !== '.' && mark !== ',') given['decimal_mark']?.fault('must be "." or ","');
  const date = given['date'] ? datePattern(given['date'].text()) : null;
  if (typeof date === 'string') given['date']?.fault(date);
  if (!given['false']) given['true']?.fault('is allowed only with «false»');
  if (!given['true']) given['false']?.fault('is allowed only with «true»');
  return {
    truths: given['true']?.texts() ?? DEFAULT_READING.truths,
    falsehoods: given['false']?.texts() ?? DEFAULT_READING.falsehoods,
    date: typeof date === 'string' ? null : date,
    decimalMark: mark === ',' ? ',' : '.',
  };
}
