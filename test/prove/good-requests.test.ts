import { describe, expect, it } from 'vitest';
import { readOpenApi } from '../../testkit/contract/document.js';
import { filledPath, GoodRequests } from '../../testkit/contract/good-requests.js';

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
  if (found === undefined) throw new Error(`There is no ${wanted}.`);
  return found;
};

describe('a path with two parameters', () => {
  it('names a row by each of them', () => {
    expect(operation('removeThing').pathRows).toEqual({ id: 'Group', thing_id: 'Thing' });
    expect(operation('removeThing').entity).toBe('Group');
  });

  it('is not the path of the first row, so its DELETE is not refused because other rows refer to this row', () => {
    expect(operation('deleteGroup').conflicts).toEqual(['GROUP_NOT_EMPTY']);
    expect(operation('removeThing').conflicts).toEqual([]);
  });

  it('gets a value for each of them, or names the one without a value', async () => {
    const { requests } = recording();
    const removal = operation('removeThing');
    expect(filledPath(removal.path, await requests.pathValues(removal))).toBe('/api/v1/groups/1/things/2');
    expect(() => filledPath(removal.path, { id: 1 })).toThrow(
      'There is no value for {thing_id} in /api/v1/groups/{id}/things/{thing_id}.',
    );
  });
});

it('a row that keeps another row refers to it, also when the example of its body does not', async () => {
  const { requests, sent } = recording();
  await requests.keep('GROUP_NOT_EMPTY', 7);
  expect(sent).toEqual([['POST', '/api/v1/groups', { parent_id: 7 }]]);
  await expect(requests.keep('GROUP_LOCKED', 7)).rejects.toThrow('keeps: GROUP_LOCKED');
});

describe('a row that may refer to a row of its kind', () => {
  it('refers to none if the example says null', async () => {
    const { requests, sent } = recording();
    expect(await requests.body(withExample(null))).toEqual({ parent_id: null });
    expect(sent).toEqual([]);
  });

  it('is refused if the example needs another row, because that row would need one too', async () => {
    const { requests } = recording();
    await expect(requests.body(withExample(1))).rejects.toThrow(
      'The example of the body of createGroup refers to another Group with parent_id. Write null there.',
    );
  });
});

/** Requests to a service that answers each one with the next id. */
function recording() {
  const sent: unknown[][] = [];
  const requests = new GoodRequests(OPERATIONS, (...request) => Promise.resolve({ id: sent.push(request) }));
  return { requests, sent };
}

/** The operation that makes a group, with another example. */
function withExample(parent: number | null) {
  const { makes, ...rest } = operation('createGroup');
  const [schema] = [...(rest.body?.media.values() ?? [])];
  const media = new Map([['application/json', { ...schema, examples: [{ parent_id: parent }] }]]);
  return { ...rest, makes, body: rest.body && { ...rest.body, media } };
}
