import { FUNCTIONS, isTrue, printed } from './functions.ts';
import { TemplateError, type Block, type Node, type Operand, type Pipeline } from './template.ts';

/** The templates that a chart defines, by name. Every file of the chart can use all of them. */
export type Defined = ReadonlyMap<string, readonly Node[]>;

interface Frame {
  readonly dot: unknown;
  readonly variables: Map<string, unknown>;
}

/**
 * Returns the text of a template. Unlike Helm, it refuses a field that does not exist: a chart declares all of its
 * values, so such a field is a typing error.
 *
 * @throws TemplateError with the line
 */
export function textOf(nodes: readonly Node[], data: unknown, defined: Defined): string {
  return new Evaluation(defined).text(nodes, { dot: data, variables: new Map([['$', data]]) });
}

class Evaluation {
  private readonly defined: Defined;

  constructor(defined: Defined) {
    this.defined = defined;
  }

  text(nodes: readonly Node[], frame: Frame): string {
    let text = '';
    for (const node of nodes) {
      if (node.kind === 'text') text += node.text;
      else {
        try {
          text += this.action(node, frame);
        } catch (error) {
          if (!(error instanceof TemplateError) || error.message.startsWith('line ')) throw error;
          throw new TemplateError(`line ${node.line}: ${error.message}`);
        }
      }
    }
    return text;
  }

  private action(node: Exclude<Node, { kind: 'text' }>, frame: Frame): string {
    if (node.kind === 'print') return printed(this.value(node.pipeline, frame));
    if (node.kind === 'set') {
      frame.variables.set(node.name, this.value(node.pipeline, frame));
      return '';
    }
    return this.block(node, frame);
  }

  private block({ kind, pipeline, names, body, otherwise }: Block, frame: Frame): string {
    const value = this.value(pipeline, frame);
    // A variable that is set in a block exists only in this block.
    const inner = (dot: unknown, more: readonly (readonly [string, unknown])[] = []): Frame => ({
      dot,
      variables: new Map([...frame.variables, ...more]),
    });
    if (!isTrue(value)) return this.text(otherwise, inner(frame.dot));
    if (kind === 'if') return this.text(body, inner(frame.dot));
    if (kind === 'with') return this.text(body, inner(value));
    const entries = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(value as object).toSorted(([one], [other]) => (one < other ? -1 : 1));
    if (typeof value !== 'object') throw new TemplateError('range needs a list or a map');
    return entries
      .map(([key, each]) => {
        const [first, second] = names;
        const set: [string, unknown][] =
          first !== undefined && second !== undefined
            ? [
                [first, key],
                [second, each],
              ]
            : [];
        return this.text(body, inner(each, set));
      })
      .join('');
  }

  private value(pipeline: Pipeline, frame: Frame): unknown {
    let last: unknown;
    for (const [index, [first, ...rest]] of pipeline.entries()) {
      if (first === undefined) throw new TemplateError('a command is empty');
      const given = index > 0 ? [last] : [];
      last =
        first.kind === 'function'
          ? this.call(first.name, [...rest.map((operand) => this.operand(operand, frame)), ...given])
          : this.operand(first, frame);
    }
    return last;
  }

  private call(name: string, args: readonly unknown[]): unknown {
    if (name === 'include') {
      const [template, data] = args;
      const nodes = this.defined.get(String(template));
      if (nodes === undefined || args.length !== 2) {
        throw new TemplateError(`include has no template "${String(template)}"`);
      }
      return this.text(nodes, { dot: data, variables: new Map([['$', data]]) });
    }
    const called = FUNCTIONS.get(name);
    if (called === undefined) throw new TemplateError(`the chart may not use the function ${name}`);
    return called(args);
  }

  private operand(operand: Operand, frame: Frame): unknown {
    if (operand.kind === 'literal') return operand.value;
    if (operand.kind === 'pipeline') return this.value(operand.pipeline, frame);
    if (operand.kind === 'function') return this.call(operand.name, []);
    return fieldOf(operand, frame);
  }
}

function fieldOf({ root, fields }: Operand & { readonly kind: 'path' }, frame: Frame): unknown {
  if (root !== '.' && !frame.variables.has(root)) throw new TemplateError(`${root} is not set`);
  let value = root === '.' ? frame.dot : frame.variables.get(root);
  for (const [index, field] of fields.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) {
      const path = fields.slice(0, index + 1).join('.');
      throw new TemplateError(`${root === '.' ? '' : root}.${path} does not exist`);
    }
    value = (value as Record<string, unknown>)[field];
  }
  return value;
}
