import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readOpenApi } from '../../testkit/contract/document.js';
import { filledPath, GoodRequests } from '../../testkit/contract/good-requests.js';
import { pairPutsIn, relationOf } from '../../testkit/contract/pairs.js';
import { bodyOf } from '../../testkit/contract/relations.js';

/** A tree of groups. A group may be in another group, and things may be in groups. */
const OPERATIONS = readOpenApi(`
paths:
  /api/v1/things:
    post: { operationId: createThing, requestBody: { content: { json: { schema: { $ref: '#/components/schemas/ThingCreate' } } } },
      responses: { '201': { links: { self: { operationId: getThing, parameters: { id: $response.body#/id } } } } } }
  /api/v1/things/{id}:
    get: { operationId: getThing, responses: { '200': { $ref: '#/components/responses/Thing' } } }
  /api/v1/groups:
    post: { operationId: createGroup, requestBody: { content: { json: { schema: { $ref: '#/components/schemas/GroupCreate' } } } },
      responses: { '201': { links: { self: { operationId: getGroup, parameters: { id: $response.body#/id } } } } } }
  /api/v1/groups/{id}:
    get: { operationId: getGroup, responses: { '200': { $ref: '#/components/responses/Group' } } }
    delete: { operationId: deleteGroup, responses: { '204': {} } }
  /api/v1/groups/{id}/things/{thing_id}:
    put: { operationId: addThing, responses: { '204': {} } }
    delete: { operationId: removeThing, responses: { '204': {} } }
components:
  headers: { RateLimit-Policy: {}, RateLimit: {}, X-Request-Id: {} }
  responses:
    Error: { headers: {} }
    BadRequest: {}
    Unauthorized: {}
    TooManyRequests: {}
    InternalError: {}
    VersionGone: {}
    Thing: { content: { json: { schema: { x-entity: Thing } } } }
    Group: { content: { json: { schema: { x-entity: Group } } } }
  schemas:
    ThingCreate: { type: object, properties: {}, examples: [{}] }
    GroupCreate:
      type: object
      properties: { parent_id: { type: integer, x-refers: { entity: Group, code: UNKNOWN, keeps: GROUP_NOT_EMPTY } } }
      examples: [{}]
`);
const operation = (wanted: string) => {
  const found = OPERATIONS.find(({ id }) => id === wanted);
  if (found === undefined) throw new Error(`There is no operation ${wanted}.`);
  return found;
};

describe('a path with two parameters', () => {
  it('names a row by each parameter', () => {
    expect(operation('removeThing').pathRows).toEqual({ id: 'Group', thing_id: 'Thing' });
    expect(operation('removeThing').entity).toBe('Group');
  });

  it('has no 409 for the row of its first parameter, because its DELETE does not delete this row', () => {
    expect(operation('deleteGroup').conflicts).toEqual(['GROUP_NOT_EMPTY']);
    expect(operation('removeThing').conflicts).toEqual([]);
  });

  it('gets a value for each parameter', async () => {
    const { requests } = recordedRequests();
    const removal = operation('removeThing');
    expect(filledPath(removal.path, await requests.pathValues(removal))).toBe('/api/v1/groups/1/things/2');
  });

  it('is not filled if a parameter has no value: the error names the parameter', () => {
    expect(() => filledPath(operation('removeThing').path, { id: 1 })).toThrow(
      'There is no value for {thing_id} in /api/v1/groups/{id}/things/{thing_id}.',
    );
  });
});

describe('a relation of many rows to many rows', () => {
  it('is read by GraphQL fields of both types, if REST has no list of its pairs', () => {
    expect(readersWith('things: [Thing!]', 'groups: GroupConnection first: Group')).toEqual([
      { of: 'id', shows: 'thing_id', by: { type: 'Group', selection: 'pairs: things { id }' } },
      { of: 'thing_id', shows: 'id', by: { type: 'Thing', selection: 'pairs: groups { nodes { id } }' } },
    ]);
  });

  it('must be shown by REST or GraphQL: otherwise the error says which part to declare', () => {
    expect(() => readersWith('', 'group: Group')).toThrow(
      'Declare GET /api/v1/groups/{id}/things in openapi.yaml, or in schema.graphql a field of Group with a list of Thing, ' +
        'or a field of Thing with a list of Group.',
    );
  });
});

describe('a row that prevents the deletion of another row', () => {
  it('refers to that row, even if the example of its body refers to no row', async () => {
    const { requests, sent } = recordedRequests();
    await requests.makeReferrer('GROUP_NOT_EMPTY', 7);
    expect(sent).toEqual([['POST', '/api/v1/groups', { parent_id: 7 }]]);
  });

  it('cannot be made for a code that no member has in its `keeps`', async () => {
    const { requests } = recordedRequests();
    await expect(requests.makeReferrer('GROUP_LOCKED', 7)).rejects.toThrow('keeps: GROUP_LOCKED');
  });
});

describe('the body of a row that may refer to another row of its kind', () => {
  it('refers to no row if the example says null', async () => {
    const { requests, sent } = recordedRequests();
    expect(await requests.body(createGroupWithExample(null))).toEqual({ parent_id: null });
    expect(sent).toEqual([]);
  });

  it('cannot be made if the example names a row, because that row would need another row, and so on', async () => {
    const { requests } = recordedRequests();
    await expect(requests.body(createGroupWithExample(1))).rejects.toThrow(
      'In the example of the body of createGroup, parent_id refers to another Group. Write null there.',
    );
  });
});

/** The ways to read the pairs of a relation, with these fields of groups and of things. */
function readersWith(group: string, thing: string) {
  const [put] = pairPutsIn(OPERATIONS);
  const schema = buildSchema(`
    type Query { id: ID }
    type Group { id: ID ${group} }
    type Thing { id: ID ${thing} }
    type GroupConnection { nodes: [Group!]! }`);
  return put && relationOf(put, OPERATIONS, schema).readers;
}

/** Requests, and a list of all that were sent. Each request is answered with the next id. */
function recordedRequests() {
  const sent: unknown[][] = [];
  const requests = new GoodRequests(OPERATIONS, (...request) => Promise.resolve({ id: sent.push(request) }));
  return { requests, sent };
}

/** The operation that makes a group, with another example of its body. */
function createGroupWithExample(parentId: number | null) {
  const createGroup = operation('createGroup');
  const media = new Map([
    ['application/json', { ...bodyOf(createGroup), examples: [{ parent_id: parentId }] }],
  ]);
  return { ...createGroup, body: createGroup.body && { ...createGroup.body, media } };
}
