/**
 * Reads the small part of Go's templates that the chart may use: fields, variables, functions, pipelines, `if`, `with`,
 * `range` and `define`. It refuses everything else, so that it never guesses how Helm would read a template.
 */

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipeline: Pipeline; readonly line: number }
  | { readonly kind: 'set'; readonly name: string; readonly pipeline: Pipeline; readonly line: number }
  | Block;

export interface Block {
  readonly kind: 'if' | 'with' | 'range';
  readonly pipeline: Pipeline;
  /** The variables of `range $key, $value := …`. */
  readonly names: readonly string[];
  readonly body: readonly Node[];
  readonly otherwise: readonly Node[];
  readonly line: number;
}

/** The value of a command is the last argument of the next command. */
export type Pipeline = readonly Command[];
export type Command = readonly Operand[];
export type Operand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'function'; readonly name: string }
  /** `.Values.port`, `$.Values.port` and `$value.key`; the root is `.`, `$` or the name of the variable. */
  | { readonly kind: 'path'; readonly root: string; readonly fields: readonly string[] }
  | { readonly kind: 'pipeline'; readonly pipeline: Pipeline };

export interface Template {
  readonly nodes: readonly Node[];
  readonly defined: ReadonlyMap<string, readonly Node[]>;
}

export class TemplateError extends Error {}

interface TemplatePart {
  readonly text: string;
  readonly isAction: boolean;
  readonly line: number;
}

/** Text and actions in turn. `{{-` and `-}}` remove the white space beside them. */
function partsOf(source: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let line = 1;
  const add = (text: string, isAction: boolean): void => {
    parts.push({ text, isAction, line });
    line += text.split('\n').length - 1;
  };
  let rest = source;
  for (let begin = rest.indexOf('{{'); begin !== -1; begin = rest.indexOf('{{')) {
    const end = rest.indexOf('}}', begin);
    if (end === -1) throw new TemplateError('an action is not closed');
    add(rest.slice(0, begin), false);
    add(rest.slice(begin, end + 2), true);
    rest = rest.slice(end + 2);
  }
  add(rest, false);
  return parts.map((part, index) => {
    if (part.isAction) return { ...part, text: part.text.slice(2, -2) };
    let { text } = part;
    if (parts[index + 1]?.text.startsWith('{{- ')) text = text.trimEnd();
    if (parts[index - 1]?.text.endsWith(' -}}')) text = text.trimStart();
    return { ...part, text };
  });
}

const TOKEN =
  /\s*(?:(?<text>"(?:[^"\\\n]|\\["\\n])*")|(?<number>-?\d+)(?![\w.])|(?<path>(?:\$\w*|)(?:\.\w+)+|\$\w*|\.)|(?<word>[a-zA-Z]\w*)|(?<sign>:=|[|(),]))/y;

interface Token {
  readonly kind: string;
  readonly text: string;
}

function tokensOf(action: string): Token[] {
  const tokens: Token[] = [];
  const text = action.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) throw new TemplateError(`"${text.slice(at).trim()}" is not supported here`);
    const [kind, found] = Object.entries(groups).find(([, each]) => each !== undefined) as [string, string];
    tokens.push({ kind, text: found });
  }
  return tokens;
}

/**
 * @throws TemplateError. The message has the line, but not if an action is not closed, or if an `end` or `else` has no
 *   beginning
 */
export function templateOf(source: string): Template {
  return new Reader(partsOf(source)).template();
}

class Reader {
  private at = 0;
  private readonly defined = new Map<string, readonly Node[]>();
  private readonly parts: readonly TemplatePart[];

  constructor(parts: readonly TemplatePart[]) {
    this.parts = parts;
  }

  template(): Template {
    const { nodes, end } = this.nodes();
    if (end !== '') throw new TemplateError(`a ${end} without a beginning`);
    return { nodes, defined: this.defined };
  }

  /** The nodes up to `end` or `else`, or to the end of the file. */
  private nodes(): { nodes: Node[]; end: string } {
    const nodes: Node[] = [];
    while (this.at < this.parts.length) {
      const part = this.parts[this.at] as TemplatePart;
      this.at += 1;
      if (!part.isAction) {
        if (part.text !== '') nodes.push({ kind: 'text', text: part.text });
        continue;
      }
      const action = part.text.replace(/^- /, '').replace(/ -$/, '').trim();
      if (/^\/\*.*\*\/$/s.test(action)) continue;
      try {
        const tokens = tokensOf(action);
        const first = tokens[0]?.kind === 'word' ? tokens[0].text : '';
        if (first === 'end' || first === 'else') return { nodes, end: action };
        if (first === 'define') this.define(tokens);
        else if (first === 'if' || first === 'with' || first === 'range')
          nodes.push(this.block(first, tokens.slice(1), part.line));
        else nodes.push(this.statement(tokens, part.line));
      } catch (error) {
        if (!(error instanceof TemplateError) || error.message.startsWith('line ')) throw error;
        throw new TemplateError(`line ${part.line}: ${error.message}`);
      }
    }
    return { nodes, end: '' };
  }

  private define(tokens: readonly Token[]): void {
    const [, name] = tokens;
    if (tokens.length !== 2 || name?.kind !== 'text') throw new TemplateError('define needs a name');
    const { nodes, end } = this.nodes();
    if (end !== 'end') throw new TemplateError('define has no end');
    this.defined.set(JSON.parse(name.text) as string, nodes);
  }

  private block(kind: Block['kind'], tokens: readonly Token[], line: number): Block {
    const assigned = tokens.findIndex(({ text }) => text === ':=');
    const names = tokens.slice(0, Math.max(assigned, 0)).filter(({ text }) => text !== ',');
    if (assigned !== -1 && (kind !== 'range' || names.length !== 2)) {
      throw new TemplateError('only "range $key, $value :=" sets variables');
    }
    const pipeline = pipelineOf(tokens.slice(assigned + 1));
    const { nodes: body, end } = this.nodes();
    const block = { kind, pipeline, names: names.map(({ text }) => text), line };
    if (end === 'end') return { ...block, body, otherwise: [] };
    const [, again, rest = ''] = /^else(?: (if|with) (.*))?$/s.exec(end) ?? [];
    if (!end.startsWith('else')) throw new TemplateError(`${kind} has no end`);
    if (again !== undefined) {
      if (again !== 'if' || kind !== 'if') throw new TemplateError(`"${end}" is not supported here`);
      return { ...block, body, otherwise: [this.block('if', tokensOf(rest), line)] };
    }
    const otherwise = this.nodes();
    if (end !== 'else' || otherwise.end !== 'end') throw new TemplateError(`${kind} has no end`);
    return { ...block, body, otherwise: otherwise.nodes };
  }

  private statement(tokens: readonly Token[], line: number): Node {
    const [name, sign] = tokens;
    if (sign?.text === ':=') {
      if (!/^\$\w+$/.test(name?.text ?? '')) throw new TemplateError('only a variable can be set');
      return { kind: 'set', name: name?.text ?? '', pipeline: pipelineOf(tokens.slice(2)), line };
    }
    return { kind: 'print', pipeline: pipelineOf(tokens), line };
  }
}

function pipelineOf(tokens: readonly Token[]): Pipeline {
  const rest = [...tokens];
  const pipeline = commandsIn(rest);
  if (rest.length > 0) throw new TemplateError(`"${rest[0]?.text}" is not expected`);
  return pipeline;
}

/** Takes the tokens of a pipeline from the beginning of the list. */
function commandsIn(tokens: Token[]): Pipeline {
  const commands: Operand[][] = [[]];
  while (tokens.length > 0 && tokens[0]?.text !== ')') {
    const token = tokens.shift() as Token;
    if (token.text === '|' && token.kind === 'sign') commands.push([]);
    else commands.at(-1)?.push(operandOf(token, tokens));
  }
  for (const [index, command] of commands.entries()) {
    const [first] = command;
    if (first === undefined) throw new TemplateError('a command is empty');
    if (first.kind !== 'function' && (command.length > 1 || index > 0)) {
      throw new TemplateError('only a function has arguments');
    }
    if (command.slice(1).some(({ kind }) => kind === 'function')) {
      throw new TemplateError('a function as an argument needs parentheses');
    }
  }
  return commands;
}

function operandOf({ kind, text }: Token, rest: Token[]): Operand {
  if (kind === 'text') return { kind: 'literal', value: JSON.parse(text) as string };
  if (kind === 'number') return { kind: 'literal', value: Number(text) };
  if (kind === 'word') {
    if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' };
    return { kind: 'function', name: text };
  }
  if (kind === 'path') {
    const [root = '', ...fields] = text === '.' ? [''] : text.split('.');
    return { kind: 'path', root: root || '.', fields };
  }
  if (text !== '(') throw new TemplateError(`"${text}" is not expected`);
  const pipeline = commandsIn(rest);
  if (rest.shift()?.text !== ')') throw new TemplateError('a parenthesis is not closed');
  return { kind: 'pipeline', pipeline };
}
