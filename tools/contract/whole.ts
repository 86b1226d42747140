import { YAMLMap, type Document, type Node } from 'yaml';
import { flow, referenceTo } from './nodes.ts';

/**
 * A short form in openapi.yaml, which `npm run contract` replaces by its full form. It is for the author only: the
 * finished document has none.
 */
export interface ShortForm {
  readonly node: Node;
  /** The text of a fault. It names the part that the contract has or lacks. */
  readonly text: string;
  readonly replace: () => void;
  /** The name in the short form, by the kinds of components that may have it. */
  readonly names?: Readonly<Partial<Record<Kind, string>>>;
}

type Kind = 'parameters' | 'requestBodies' | 'responses' | 'schemas';

/** The body that a name stands for. */
export function wholeBody(document: Document, name: string): YAMLMap {
  if (document.hasIn(['components', 'requestBodies', name])) return referenceTo('requestBodies', name);
  const body = new YAMLMap();
  body.set('description', descriptionOf(document, name));
  body.set('required', true);
  body.set('content', jsonOf(name));
  return body;
}

/** The response that a name or a description stands for. */
export function wholeResponse(document: Document, name: string): YAMLMap {
  if (document.hasIn(['components', 'responses', name])) return referenceTo('responses', name);
  const response = new YAMLMap();
  response.set('description', isName(name) ? descriptionOf(document, name) : name);
  if (isName(name)) response.set('content', jsonOf(name));
  return response;
}

/** Whether a text in the place of a response is a name. Any other text is a description. */
export function isName(text: string): boolean {
  return /^\w+$/.test(text);
}

/** The link of a 201 to the operation that reads the created row. */
export function linkTo(operationId: string): object {
  return { operationId, parameters: { id: '$response.body#/id' } };
}

function jsonOf(schema: string): YAMLMap {
  const content = new YAMLMap();
  content.set('application/json', flow('schema', referenceTo('schemas', schema)));
  return content;
}

/** A schema that the document lacks is the schema of a list. `lists.ts` makes it later, with the same description. */
function descriptionOf(document: Document, schema: string): string {
  const description = document.getIn(['components', 'schemas', schema, 'description']);
  return typeof description === 'string' ? description : 'One page of a list.';
}
