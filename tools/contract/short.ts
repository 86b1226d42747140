import { isMap, isScalar, isSeq, Scalar, YAMLMap, type Document } from 'yaml';
import { METHODS } from '../openapi/model.ts';
import { namesOfSchemas } from './schema-names.ts';
import { block, flowList, keyOf, pairsOf, referenceTo, textOf } from './nodes.ts';
import { missingBodies } from './short-bodies.ts';
import { ofOneRow, ofSummary } from './short-operations.ts';
import { formsOfSchemas } from './short-schemas.ts';
import { isName, linkTo, wholeBody, wholeResponse, type ShortForm } from './whole.ts';

const CURSORS = 'The cursors of `page` lead to the next and the previous page.';

/**
 * All short forms of a document:
 *
 * - a name instead of a reference: `parameters: [Limit]`, `requestBody: ProductCreate`, `schema: Product`, `id: Id`
 *   among `properties`, and `'200': Product` among `responses`. The name of a schema stands for a body of JSON with
 *   this schema, and with its description. Among `responses`, a text that is no name is the description of a response
 *   without a body;
 * - a body whose name follows from a schema of rows (`x-entity`), such as `TeaCreate`, `TeaReplace` or `TeaUpdate` of
 *   `Tea`: its schema has the members of a row (`missingBodies`);
 * - a parameter without a schema: an id. A parameter of the path is required;
 * - a schema with `x-part-of`: an object with some members of the other schema. The lists `required` and `x-optional`
 *   name these members. A client may send back the members of `x-unchanged` (`id`, `created_at`, `updated_at`) as it
 *   read them;
 * - a schema of rows (`x-entity`) without `type`: an object that always has all its members, and no others;
 * - `x-same-as` of a path of version 2: this path takes the methods and parameters of the path of version 1, except
 *   those that it has itself. A list of version 2 has cursors;
 * - a member with `x-refers` without bounds: an id;
 * - `x-text`: a text of one line, or of several lines (`short-schemas.ts`);
 * - a path of version 1 without `x-alias`, an operation without `tags` or without `summary`, and a 201 without the link
 *   to the created row;
 * - an operation on one row (`/{id}`) without `parameters`: it takes the header with a condition that suits its method
 *   (`If-None-Match` or `If-Match`).
 */
export function shortForms(document: Document): ShortForm[] {
  const paths = pairsOf(document.get('paths'));
  return [
    // First, so that a path copies the operations of another path before their short forms are replaced.
    ...paths.flatMap(({ key, value }) => (isMap(value) ? sameMethods(document, textOf(key), value) : [])),
    // A body takes the description of its schema, so the schema must be there.
    ...missingBodies(document),
    ...paths.flatMap(({ key, value }) => (isMap(value) ? ofPath(document, textOf(key), value) : [])),
    ...pairsOf(document.getIn(['components', 'parameters'])).flatMap(({ value }) => ofParameter(value)),
    ...formsOfSchemas(document),
    ...namesOfSchemas(document),
  ];
}

function ofPath(document: Document, path: string, item: YAMLMap): ShortForm[] {
  const alias = /^\/api\/v1(?=\/|$)/.test(path) && !item.has('x-alias');
  return [
    ...(alias
      ? [
          {
            node: item,
            text: `${path} has no x-alias`,
            replace: () => item.items.unshift(document.createPair('x-alias', path.replace('/v1', ''))),
          },
        ]
      : []),
    ...namesOfParameters(item),
    ...pairsOf(item).flatMap(({ key, value: node }) =>
      METHODS.some((each) => each === textOf(key)) && isMap(node)
        ? ofOperation(document, path, textOf(key), node)
        : [],
    ),
  ];
}

function sameMethods(document: Document, path: string, item: YAMLMap): ShortForm[] {
  const other = item.get('x-same-as');
  if (typeof other !== 'string') return [];
  const suffix = (/^\/api\/(v\d+)\//.exec(path)?.[1] ?? '').toUpperCase();
  const replace = (): void => {
    item.delete('x-same-as');
    item.flow = false;
    for (const { key, value } of pairsOf(document.getIn(['paths', other]))) {
      const name = textOf(key);
      if (item.has(name)) continue;
      const isMethod = METHODS.some((each) => each === name);
      if (isMethod && isMap(value)) {
        const id = String(value.get('operationId'));
        const list = String(value.getIn(['responses', '200']));
        const own = /^\w+List$/.test(list)
          ? withCursors(value, id + suffix)
          : document.createNode({ operationId: id + suffix, 'x-same-as': id });
        item.set(name, own);
      } else if (name === 'parameters' && isSeq(value)) {
        item.items.unshift(document.createPair(name, value.clone()));
      }
    }
  };
  return [{ node: item, text: `${path} has x-same-as for the whole path`, replace }];
}

/** The list of version 2: it takes a cursor instead of the number of a page, and its answer is an envelope. */
function withCursors(list: YAMLMap, id: string): YAMLMap {
  const own = list.clone() as YAMLMap;
  // The list of version 2 has a counterpart in GraphQL (the connection), even if the list of version 1 has none.
  own.delete('x-untied');
  own.set('operationId', id);
  // `x-reach` is about the numbers of pages, which this list does not have.
  own.delete('x-reach');
  own.set('description', descriptionWithCursors(String(own.get('description'))));
  const parameters = own.get('parameters');
  if (isSeq(parameters))
    parameters.items = parameters.items.map((item) =>
      isScalar(item) && item.value === 'Page' ? new Scalar('PageCursor') : item,
    );
  const answer = String(own.getIn(['responses', '200'])).replace(/List$/, 'Page');
  own.setIn(['responses', '200'], new Scalar(answer));
  return own;
}

/** @param description of the list of version 1 */
export function descriptionWithCursors(description: string): string {
  const sentences = description.trim().split(/(?<=\.)\s/);
  const kept = sentences.filter((each) => !each.includes('`page` × `limit`')).join(' ');
  return `${kept} ${CURSORS}`;
}

function ofOperation(document: Document, path: string, method: string, node: YAMLMap): ShortForm[] {
  const id = String(node.get('operationId'));
  const tag = /^\/api\/v\d+\/([\w-]+)/.exec(path)?.[1];
  const hasTags = node.has('tags') || node.has('x-same-as') || tag === undefined;
  return [
    ...(hasTags
      ? []
      : [{ node, text: `${id} has no tags`, replace: () => node.set('tags', flowList([tag])) }]),
    ...ofSummary(id, node),
    ...ofOneRow(document, path, method, node),
    ...namesOfParameters(node),
    ...ofBody(document, node),
    ...pairsOf(node.get('responses')).flatMap((pair) =>
      isScalar(pair.value) ? ofResponse(document, node, textOf(pair.key), pair.value) : [],
    ),
    ...(method === 'post' ? ofCreated(document, path, node) : []),
  ];
}

function namesOfParameters(owner: YAMLMap): ShortForm[] {
  const list = owner.get('parameters');
  if (!isSeq(list)) return [];
  return list.items.flatMap((item, index): ShortForm[] => {
    if (!isScalar(item)) return [];
    const name = textOf(item);
    const replace = (): void => {
      list.flow = false;
      list.items[index] = block(referenceTo('parameters', name));
    };
    return [
      {
        node: item,
        text: `the parameter ${name} stands for a reference`,
        replace,
        names: { parameters: name },
      },
    ];
  });
}

function ofBody(document: Document, operation: YAMLMap): ShortForm[] {
  const body = operation.get('requestBody', true);
  if (!isScalar(body)) return [];
  const name = textOf(body);
  const replace = (): void => {
    operation.set('requestBody', wholeBody(document, name));
  };
  return [
    {
      node: body,
      text: `the body ${name} stands for a schema`,
      replace,
      names: { requestBodies: name, schemas: name },
    },
  ];
}

function ofResponse(document: Document, operation: YAMLMap, status: string, value: Scalar): ShortForm[] {
  const name = textOf(value);
  const replace = (): void => {
    const responses = operation.get('responses') as YAMLMap;
    responses.flow = false;
    responses.delete(status);
    responses.set(keyOf(status), wholeResponse(document, name));
  };
  const names = isName(name) ? { responses: name, schemas: name } : {};
  return [{ node: value, text: `the response ${status} is in the short form`, replace, names }];
}

/** The link to the created row, if the path has a GET for one row. */
function ofCreated(document: Document, path: string, operation: YAMLMap): ShortForm[] {
  const created = operation.getIn(['responses', '201']);
  const read = document.getIn(['paths', `${path}/{id}`, 'get', 'operationId']);
  // A name may stand for a response with links of its own. So the first pass replaces the name, and the second pass
  // adds the link.
  if (!isMap(created) || created.has('links') || created.has('$ref') || typeof read !== 'string') return [];
  const replace = (): void =>
    operation.setIn(
      ['responses', '201', 'links'],
      document.createNode({ self: document.createNode(linkTo(read), { flow: true }) }),
    );
  return [
    {
      node: operation,
      text: `${String(operation.get('operationId'))} has no link self in its response 201`,
      replace,
    },
  ];
}

function ofParameter(parameter: unknown): ShortForm[] {
  if (!isMap(parameter) || parameter.has('schema') || parameter.has('$ref')) return [];
  const replace = (): void => {
    parameter.flow = false;
    if (parameter.get('in') === 'path') parameter.set('required', true);
    parameter.set('schema', referenceTo('schemas', 'Id'));
    parameter.set('example', 1);
  };
  return [{ node: parameter, text: `the parameter ${String(parameter.get('name'))} has no schema`, replace }];
}
