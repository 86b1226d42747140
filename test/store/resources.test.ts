import { buildSchema, getNamedType, isLeafType, type GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCHEMA_GRAPHQL } from '../../src/engine/contract/documents.js';
import type { Topic } from '../../src/engine/events/topics.js';
import type { Operation } from '../../testkit/contract/document.js';
import { filledPath, type PathValues } from '../../testkit/contract/good-requests.js';
import { pairPutsIn, relationOf, type PairReader } from '../../testkit/contract/pairs.js';
import { bodyOf, referencesByName } from '../../testkit/contract/relations.js';
import { flat } from '../../testkit/contract/schemas.js';
import { startApp, type Answer, type TestApp } from '../support/clients/app.js';
import { connect } from '../support/clients/live.js';
import { goodDocument, inCamelCase, RELATED_OPERATIONS, requestsTo } from '../support/clients/requests.js';
import { describeOnEachEngine } from '../support/fixtures/database.js';
import { tally } from '../support/fixtures/tally.js';

/*
 * Every resource keeps the same promises, in each version of REST and in GraphQL. The requests are made from the
 * examples, `x-unique` and `x-refers` of the contract, so a new resource is tested without a change of this file.
 */

type Members = Readonly<Record<string, unknown>>;
type Fields = ReturnType<GraphQLObjectType['getFields']>;

const SCHEMA = buildSchema(SCHEMA_GRAPHQL);
const NO_ROW = 987_654;

/** The operations on the rows of an entity, in one version. */
interface Resource {
  readonly entity: string;
  readonly make: Operation;
  readonly list: Operation;
  readonly put: Operation | undefined;
  readonly patch: Operation | undefined;
  readonly remove: Operation | undefined;
}

/** The resources of both interfaces, by the path of their lists. */
const RESOURCES = RELATED_OPERATIONS.flatMap((make): [string, Resource][] => {
  const { entity = '' } = make.makes ?? {};
  const list = operationAt('GET', make.path);
  if (make.method !== 'POST' || !list || !(`create${entity}` in fieldsOf('Mutation'))) return [];
  const [put, patch, remove] = ['PUT', 'PATCH', 'DELETE'].map((method) =>
    operationAt(method, `${make.path}/{id}`),
  );
  return [[make.path, { entity, make, list, put, patch, remove }]];
});
const only = (method: 'put' | 'patch' | 'remove') =>
  RESOURCES.flatMap(([path, resource]) => {
    const operation = resource[method];
    return operation ? [[path, resource, operation] as const] : [];
  });

/** The resources with a subscription to all their changes. Both versions share this subscription. */
const CHANGING = new Map(
  RESOURCES.map(
    ([, resource]) => [`${lowerFirst(resource.entity)}Changed` as Topic, resource] as const,
  ).filter(([topic]) => topic in fieldsOf('Subscription')),
);

/** The resources whose rows form a tree, with the member that names the row above, and the maximum of levels. */
const TREES = RESOURCES.flatMap(([path, resource]) =>
  referencesOf(resource.make).flatMap(([name, { levels }]) =>
    levels === undefined ? [] : [[path, resource, name, levels] as const],
  ),
);

describeOnEachEngine('the resource', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const bodyFor = async (operation: Operation, given?: object) =>
    (await requestsTo(store).body(operation, given)) as Members;
  /** A new row: its path, its body as it was sent, and the members that the answer shows. */
  const made = async (resource: Resource, given: object = {}) => {
    const { make } = resource;
    const sent = await bodyFor(make, given);
    const answer = await store.call('POST', make.path, { body: sent });
    expect(answer.status).toBe(201);
    const shown = rowIn(resource, answer);
    return { path: `${make.path}/${String(shown['id'])}`, sent, shown, tag: tagOf(answer), answer };
  };
  const read = async (resource: Resource, path: string) => rowIn(resource, await store.call('GET', path));
  /** The fields of a row in GraphQL that REST shows too. */
  const inGraphql = async ({ entity }: Resource, shown: Members) => {
    const names = Object.keys(expectedFields(entity, shown)).join(' ');
    return (
      await resultOf(store, `{ field: ${lowerFirst(entity)}(id: ${String(shown['id'])}) { ${names} } }`)
    ).field;
  };

  it.each(RESOURCES)(
    '%s shows a new row as it was sent, over REST and in GraphQL',
    async (_path, resource) => {
      const { path, sent, shown, tag, answer } = await made(resource);
      expect(shown).toMatchObject(sharedMembers(sent, shown));
      expect(answer.headers.get('location')).toBe(path);
      const found = await store.call('GET', path);
      expect([rowIn(resource, found), tagOf(found)]).toEqual([shown, tag]);
      expect(await inGraphql(resource, shown)).toEqual(expectedFields(resource.entity, shown));
    },
  );

  it.each(RESOURCES)('%s shows a row that GraphQL created', async (_path, resource) => {
    const { entity, make } = resource;
    const document = await goodDocument(store, `Mutation.create${entity}`);
    const { id } = (await resultOf(store, document.replace('__typename', 'id'))).field as Members;
    const shown = await read(resource, `${make.path}/${String(id)}`);
    expect(await inGraphql(resource, shown)).toEqual(expectedFields(entity, shown));
  });

  it.each(RESOURCES)('%s lists each row once, on every kind of page', async (_path, resource) => {
    const { entity, list } = resource;
    for (let n = 0; n < 3; n++) await made(resource);
    const ids = list.parameters.some(({ name }) => name === 'cursor')
      ? await idsByCursors(store, list.path)
      : await idsByPages(store, list.path);
    expect(new Set(ids).size).toBe(ids.length);
    const total = (await store.call('GET', `${list.path}?limit=1`)).headers.get('x-total-count');
    expect(Number(total)).toBe(ids.length);
    expect(new Set(await idsByConnection(store, entity))).toEqual(new Set(ids));
  });

  it.each(only('put'))(
    '%s replaces a row, and keeps its tag if nothing changes',
    async (_path, resource, put) => {
      const { path, tag, shown } = await made(resource);
      const body = await bodyFor(put);
      const first = await store.call('PUT', path, { body, headers: { 'if-match': tag } });
      expect(first.status).toBe(200);
      expect(rowIn(resource, first)).toMatchObject({ ...sharedMembers(body, shown), id: shown['id'] });
      expect(tagOf(first)).not.toBe(tag);
      const stale = { 'if-match': tag };
      expect((await store.call('PUT', path, { body, headers: stale })).status).toBe(412);
      const second = await store.call('PUT', path, { body });
      expect([second.status, tagOf(second), await read(resource, path)]).toEqual([
        200,
        tagOf(first),
        rowIn(resource, first),
      ]);
    },
  );

  it.each(only('patch'))('%s changes only the member that a patch gives', async (_path, resource, patch) => {
    const { path, shown: before } = await made(resource);
    const members = flat(bodyOf(patch) ?? {}).properties ?? {};
    const given = { ...(await bodyFor(resource.make)), ...(await bodyFor(patch)) };
    const changes = Object.entries(given).filter(
      ([name]) => name in before && members[name] && flat(members[name]).readOnly !== true,
    );
    expect(changes).not.toEqual([]);
    let shown = before;
    for (const [name, value] of changes) {
      const answer = await store.call('PATCH', path, { body: { [name]: value } });
      const changed = rowIn(resource, answer);
      expect({ ...changed, updated_at: null }).toEqual({ ...shown, updated_at: null, [name]: value });
      shown = await read(resource, path);
      expect(shown).toEqual(changed);
    }
    expect(await inGraphql(resource, shown)).toEqual(expectedFields(resource.entity, shown));
  });

  it.each(only('patch'))(
    '%s lets one of twenty writers with the same tag succeed',
    async (_path, resource, patch) => {
      const { path, tag } = await made(resource);
      const bodies = await Promise.all(Array.from({ length: 20 }, () => bodyFor(patch)));
      const headers = { 'if-match': tag };
      const answers = await Promise.all(bodies.map((body) => store.call('PATCH', path, { body, headers })));
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 412: 19 });
    },
  );

  it.each(only('remove'))(
    '%s deletes a row, and never uses its id again',
    async (_path, resource, remove) => {
      const { path, tag, shown } = await made(resource);
      const stale = { 'if-match': `"7${tag.slice(1)}` };
      expect((await store.call('DELETE', path, { headers: stale })).status).toBe(412);
      expect((await store.call('DELETE', path, { headers: { 'if-match': tag } })).status).toBe(
        remove.success,
      );
      expect((await store.call('DELETE', path)).status).toBe(404);
      expect((await store.call('GET', path)).status).toBe(404);
      expect(Number((await made(resource)).shown['id'])).toBeGreaterThan(Number(shown['id']));
    },
  );

  it.each(only('remove'))(
    '%s: a deletion in GraphQL returns the row, and a second deletion returns null',
    async (_path, resource) => {
      const { shown } = await made(resource);
      const fields = expectedFields(resource.entity, shown);
      const document = `mutation { field: delete${resource.entity}(id: ${String(shown['id'])}) { ${Object.keys(fields).join(' ')} } }`;
      expect((await resultOf(store, document)).field).toEqual(fields);
      expect((await resultOf(store, document)).field).toBeNull();
    },
  );

  it.each(RESOURCES.filter(([, { make }]) => Object.keys(make.uniques).length > 0))(
    '%s refuses a value that another row has',
    async (path, resource) => {
      const { sent } = await made(resource);
      const { path: other, shown: before } = await made(resource);
      for (const [code, names] of Object.entries(resource.make.uniques)) {
        const taken = Object.fromEntries(names.map((name) => [name, sent[name]]));
        for (const operation of [resource.make, resource.put, resource.patch].filter(
          (each) => each !== undefined,
        )) {
          const body = await bodyFor(operation, taken);
          const at = operation === resource.make ? path : other;
          expect((await store.call(operation.method, at, { body })).body).toMatchObject({
            status: 409,
            code,
          });
        }
        const { errors } = await store.graphql(
          await mutationOf(store, resource, inCamelCase(taken) as object),
        );
        expect(errors[0].extensions).toMatchObject({ status: 409, code });
      }
      expect(await read(resource, other)).toEqual(before);
    },
  );

  it.each(RESOURCES.filter(([, { make }]) => referencesOf(make).length > 0))(
    '%s refuses a reference to a missing row, with the name of the member in each interface',
    async (path, resource) => {
      for (const [name, { code }] of referencesOf(resource.make)) {
        const body = await bodyFor(resource.make, { [name]: NO_ROW });
        const { body: problem } = await store.call('POST', path, { body });
        const own = code === 'UNKNOWN' ? { errors: [{ pointer: `#/${name}`, code }] } : { code };
        expect(problem).toMatchObject(own);
        const given = inCamelCase({ [name]: String(NO_ROW) }) as Members;
        const { data, errors } = await store.graphql(await mutationOf(store, resource, given));
        expect(data).toEqual({ field: null });
        const pointer = code === 'UNKNOWN' ? [`#/${Object.keys(given).join()}`] : undefined;
        expect(errors?.map((error: { extensions: Members }) => error.extensions['pointer'])).toEqual(pointer);
      }
    },
  );

  it.each(only('remove').filter(([, , { conflicts }]) => conflicts.length > 0))(
    '%s refuses to delete a row to which another row refers',
    async (_path, resource, remove) => {
      for (const code of remove.conflicts) {
        const { path, shown } = await made(resource);
        await requestsTo(store).makeReferrer(code, Number(shown['id']));
        expect((await store.call('DELETE', path)).body).toMatchObject({ status: 409, code });
        expect(await read(resource, path)).toEqual(shown);
      }
    },
  );

  it.each(TREES)(
    '%s refuses more levels of the tree than the contract allows, in each interface, and a circle in REST',
    async (path, resource, name, levels) => {
      const { make, patch } = resource;
      const first = await made(resource);
      let last = first;
      for (let level = 2; level <= levels; level++) last = await made(resource, { [name]: last.shown['id'] });
      const below = await bodyFor(make, { [name]: last.shown['id'] });
      const tooDeep = { status: 400, errors: [{ pointer: `#/${name}`, code: 'TOO_DEEP' }] };
      expect((await store.call('POST', path, { body: below })).body).toMatchObject(tooDeep);
      const given = inCamelCase({ [name]: String(last.shown['id']) }) as object;
      const { errors } = await store.graphql(await mutationOf(store, resource, given));
      const pointer = `#/${Object.keys(given).join()}`;
      expect(errors).toMatchObject([{ message: expect.stringContaining('levels'), extensions: { pointer } }]);
      const body = await bodyFor((patch ?? resource.put) as Operation, { [name]: last.shown['id'] });
      const circle = await store.call(patch ? 'PATCH' : 'PUT', first.path, { body });
      expect(circle.body).toMatchObject({ status: 400, errors: [{ pointer: `#/${name}`, code: 'CIRCLE' }] });
      expect(await read(resource, first.path)).toEqual(first.shown);
    },
  );

  it.each(pairPutsIn(RELATED_OPERATIONS).map((put) => [put.path, put] as const))(
    '%s stores and removes a pair, even on a second request, and all parts of the contract show the same pairs',
    async (_path, put) => {
      const { holder, member, remove, readers } = relationOf(put, RELATED_OPERATIONS, SCHEMA);
      const values = await requestsTo(store).pathValues(put);
      const expectShown = async (isThere: boolean): Promise<void> => {
        for (const reader of readers) {
          const ids = await idsOfPairs(store, reader, values);
          expect(ids).toEqual(isThere ? [values[reader.shows]] : []);
        }
      };
      await expectShown(false);
      const steps = [[put, true] as const, ...(remove ? [[remove, false] as const] : [])];
      for (const [operation, isThere] of steps) {
        for (let n = 0; n < 2; n++) {
          const { status } = await store.call(operation.method, filledPath(operation.path, values));
          expect(status).toBe(operation.success);
          await expectShown(isThere);
        }
        for (const missing of [holder, member]) {
          const nowhere = filledPath(operation.path, { ...values, [missing]: NO_ROW });
          expect((await store.call(operation.method, nowhere)).status).toBe(404);
        }
      }
      for (const [{ id }, isThere] of steps) {
        const field = id.replace(/V\d+$/, '');
        if (!(field in fieldsOf('Mutation'))) continue;
        const given = inCamelCase(values) as object;
        await resultOf(store, await goodDocument(store, `Mutation.${field}`, given));
        await expectShown(isThere);
      }
    },
  );

  it.each([...CHANGING])(
    '%s tells subscribers every change, with the row as it was then',
    async (topic, resource) => {
      const live = connect(store);
      const events = await live.subscribe(topic, '{ id version change }');
      const { path, shown } = await made(resource);
      const { patch } = resource;
      if (patch) await store.call('PATCH', path, { body: await bodyFor(patch) });
      await store.call('DELETE', path);
      const changes = ['created', ...(patch ? ['updated'] : []), 'deleted'];
      for (const [index, change] of changes.entries()) {
        const { data } = await events.next();
        expect(data[topic]).toEqual({ id: String(shown['id']), version: index + 1, change });
      }
      live.close();
    },
  );
});

function operationAt(method: string, path: string): Operation | undefined {
  return RELATED_OPERATIONS.find((each) => each.method === method && each.path === path);
}

function fieldsOf(type: string): Fields {
  return (SCHEMA.getType(type) as GraphQLObjectType).getFields();
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The row in an answer: the body itself, or its only member. */
function rowIn({ make }: Resource, { body }: Answer): Members {
  return (make.makes?.id ?? []).slice(0, -1).reduce<Members>((at, name) => at[name] as Members, body);
}

function tagOf({ headers }: Answer): string {
  return headers.get('etag') as string;
}

function referencesOf(operation: Operation) {
  const { properties = {} } = flat(bodyOf(operation) ?? {});
  return [...referencesByName(bodyOf(operation))].filter(([name]) => name in properties);
}

/** The members of a body that the representation shows too. */
function sharedMembers(sent: Members, shown: Members): Members {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name in shown));
}

/** The members of a row that GraphQL shows under the same name, with the values that it shows. */
function expectedFields(entity: string, shown: Members): Members {
  const fields = fieldsOf(entity);
  return Object.fromEntries(
    Object.entries(inCamelCase(shown) as Members).flatMap(([name, value]) => {
      const field = fields[name];
      if (!field || !isLeafType(getNamedType(field.type)) || (typeof value === 'object' && value !== null))
        return [];
      const isId = getNamedType(field.type).name === 'ID' && value !== null;
      return [[name, isId ? `${value as number}` : value]];
    }),
  );
}

/** @throws Error when the operation has errors */
async function resultOf(store: TestApp, document: string) {
  const { data, errors } = await store.graphql(document);
  if (errors !== undefined) throw new Error(`${document} has errors: ${JSON.stringify(errors)}`);
  return data as Members;
}

/** A mutation that creates a row with these arguments instead of the good arguments. */
async function mutationOf(store: TestApp, { entity }: Resource, given: object): Promise<string> {
  return goodDocument(store, `Mutation.create${entity}`, given);
}

/** The ids that a reader of pairs shows for the row that `of` names. */
async function idsOfPairs(
  store: TestApp,
  { of, by }: PairReader,
  values: PathValues,
): Promise<readonly number[]> {
  if (!('selection' in by)) return idsOf(await store.call('GET', filledPath(by.path, values)));
  const document = `{ field: ${lowerFirst(by.type)}(id: ${String(values[of])}) { ${by.selection} } }`;
  const { pairs } = (await resultOf(store, document))['field'] as { pairs: unknown };
  const { nodes } = pairs as { nodes?: unknown };
  return ((nodes ?? pairs) as { id: string }[]).map(({ id }) => Number(id));
}

/** The ids in a list: the body itself, or its member `data`. */
function idsOf({ body }: Answer): number[] {
  return (Array.isArray(body) ? body : body.data).map(({ id }: { id: number }) => id);
}

async function idsByPages(store: TestApp, path: string): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ; page++) {
    const { body } = await store.call('GET', `${path}?limit=2&page=${page}`);
    if (body.length === 0) return ids;
    ids.push(...body.map(({ id }: { id: number }) => id));
  }
}

async function idsByCursors(store: TestApp, path: string): Promise<number[]> {
  const ids: number[] = [];
  for (let next = ''; ;) {
    const { body } = await store.call('GET', `${path}?limit=2${next}`);
    ids.push(...body.data.map(({ id }: { id: number }) => id));
    if (body.page.next === null) return ids;
    next = `&cursor=${body.page.next}`;
  }
}

async function idsByConnection(store: TestApp, entity: string): Promise<number[]> {
  const [field = ''] =
    Object.entries(fieldsOf('Query')).find(
      ([, { type }]) => getNamedType(type).name === `${entity}Connection`,
    ) ?? [];
  const ids: number[] = [];
  for (let after = ''; ;) {
    const document = `{ field: ${field}(first: 2${after}) { nodes { id } pageInfo { hasNextPage endCursor } } }`;
    const { nodes, pageInfo } = (await store.graphql(document)).data.field;
    ids.push(...nodes.map(({ id }: { id: string }) => Number(id)));
    if (!pageInfo.hasNextPage) return ids;
    after = `, after: "${pageInfo.endCursor}"`;
  }
}
