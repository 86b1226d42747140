import { member, textOf } from '../json.ts';
import type { Operation, Rest } from '../openapi/model.ts';

export interface Id {
  readonly name: string;
  /** The kind of the row with this id, in words, such as `API key`. */
  readonly what: string;
}

/**
 * The ids in the path of an operation. The words come from the summary of the GET that shows the row ("Get one API
 * key"), or else from the description of the parameter ("The id of the product."). An id without words is left out.
 */
export function idsOf(rest: Rest, { path, template }: Pick<Operation, 'path' | 'template'>): Id[] {
  return (path?.dto.members ?? []).flatMap(({ name, shape }): Id[] => {
    const own = template.slice(0, template.indexOf(`{${name}}`) + name.length + 2);
    const get = rest.operations.find((each) => each.method === 'get' && each.template === own);
    const summary = textOf(get && member(get.node, 'summary')) ?? '';
    const what =
      /^Get one (.+?)(?: by .*)?$/.exec(summary)?.[1] ??
      /^The id of the ([^.,]+)/.exec(shape.description ?? '')?.[1];
    return shape.kind === 'integer' && what !== undefined ? [{ name, what }] : [];
  });
}
