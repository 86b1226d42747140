import { items, member, members, textOf, texts, type Node } from '../json.ts';
import type { Dto } from '../shape.ts';
import { addresses, checkAddresses } from './addresses.ts';
import { answersOf } from './answers.ts';
import { bodyOf } from './bodies.ts';
import type { Document } from './document.ts';
import { checkKeywords } from './keywords.ts';
import { METHODS, type Operation, type Parameters, type Place, type Rest } from './model.ts';
import { costOf, parametersDto, parametersOf } from './parameters.ts';
import { ownerOf, schemeNames, scopesOf, securityOf } from './security.ts';
import { checkPromises } from './promises.ts';
import { checkSame } from './same.ts';
import { Shapes } from './shapes.ts';
import { checkStructure } from './structure.ts';

/** Reads every operation in the order of the paths of the document, so that messages come in reading order. */
export function readOperations(document: Document): Rest {
  if (!/^3\.1\.\d+$/.test(textOf(member(document.root, 'openapi')) ?? '')) {
    document.fault(document.root, 'only OpenAPI 3.1 is supported');
  }
  checkStructure(document);
  checkAddresses(document);
  const shapes = new Shapes(document, 'request');
  const seen = new Set<string>();
  for (const [, schema] of members(member(member(document.root, 'components'), 'schemas'))) {
    checkKeywords(document, schema, seen);
  }
  const places = placesOf(document);
  const operations: Operation[] = [];
  const taken = new Set<string>();
  for (const place of places) {
    const { paths, version } = addresses(document, place);
    for (const path of paths) {
      const address = `${place.method} ${path.replaceAll(/:\w+/g, ':')}`;
      if (taken.has(address))
        document.fault(place.node, `${address} is also the address of another operation`);
      taken.add(address);
    }
    const parameters = parametersOf(shapes, place, seen);
    const { statuses, answer } = answersOf(shapes, place, seen);
    const security = securityOf(document, place.node);
    const path = parametersDto(shapes, place, 'path', parameters);
    const query = parametersDto(shapes, place, 'query', parameters);
    const headers = parametersDto(shapes, place, 'header', parameters);
    checkReach(document, place.node, query);
    const shown = propertiesOf(document, answer.entitySchema);
    const body = bodyOf(shapes, place, shown, seen);
    if (body !== null && place.method === 'get') document.fault(place.node, 'GET must not have a body');
    const dtos: Record<string, Dto | undefined> = {
      path: path?.dto,
      query: query?.dto,
      body: shapes.dtos.get(body?.dto ?? ''),
    };
    if (answer.entity !== null && version === null) {
      document.fault(
        place.pathItem,
        `${place.id} shows ${answer.entity}, but its version is not stated: add x-version: v1 to the path`,
      );
    }
    const owner = ownerOf(document, place.node, (where, name) =>
      where === 'row'
        ? answer.entity !== null && shown.includes(name)
        : (dtos[where]?.members ?? []).some((each) => each.name === name),
    );
    const tag = textOf(items(member(place.node, 'tags'))[0]) ?? '';
    operations.push({
      ...place,
      paths,
      version,
      tag,
      sameAs: textOf(member(place.node, 'x-same-as')) ?? null,
      security,
      owner,
      cost: costOf(shapes, place.node),
      path,
      query,
      headers,
      body,
      answer,
      statuses,
    });
  }
  checkSame(document, operations, shapes.dtos);
  checkPromises(document);
  return {
    operations,
    scopes: scopesOf(document),
    schemes: schemeNames(document),
    dtos: shapes.dtos,
  };
}

function placesOf(document: Document): Place[] {
  const ids = new Map<string, Place>();
  const places: Place[] = [];
  for (const [template, pathItem] of members(member(document.root, 'paths'))) {
    for (const [key, node] of members(pathItem)) {
      if (!METHODS.some((method) => method === key)) continue;
      const id = textOf(member(node, 'operationId')) ?? '';
      const place = { node, pathItem, method: key, template, id };
      checkOperation(document, place, ids.get(id));
      ids.set(id, place);
      places.push(place);
    }
  }
  return places;
}

function checkOperation(document: Document, { node, id }: Place, other: Place | undefined): void {
  if (id === '') document.fault(node, 'the operation has no operationId');
  else if (!/^[a-z][A-Za-z0-9]*$/.test(id)) document.fault(node, `the operationId ${id} is not in camelCase`);
  else if (other !== undefined)
    document.fault(node, `the operationId ${id} is taken by ${document.place(other.node)}`);
  if ((textOf(member(node, 'description')) ?? '').trim() === '')
    document.fault(node, 'the operation has no description');
  const summary = member(node, 'summary');
  if (summary !== undefined && textOf(summary)?.trim() === '')
    document.fault(
      summary,
      'the summary is empty; write a text, or remove the member: then the summary follows from the operationId',
    );
  if (texts(member(node, 'tags')).length !== 1) document.fault(node, 'the operation must have one tag');
}

/** Checks `x-reach`: the number of rows that the pages of a list reach. */
function checkReach(document: Document, node: Node, query: Parameters | null): void {
  const reach = member(node, 'x-reach');
  if (reach === undefined) return;
  const [[of, rows] = [], ...others] = members(reach);
  const isRight =
    others.length === 0 &&
    /^(all|filtered)$/.test(of ?? '') &&
    Number.isInteger(rows?.value) &&
    Number(rows?.value) > 0;
  if (!isRight)
    document.fault(
      reach,
      'x-reach must be { all: 100000 }, or { filtered: 100000 } if only filtered lists have a bound',
    );
  else if (query?.kinds['page'] === undefined)
    document.fault(reach, 'x-reach is only for a list that is read by `page`');
}

function propertiesOf(document: Document, schema: Node | null): string[] {
  return schema === null ? [] : members(member(document.follow(schema), 'properties')).map(([name]) => name);
}
