import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Contract } from '../../tools/contract/complete.ts';
import { Copies } from '../../tools/contract/copies.ts';

/** A resource of both versions, as an author writes it. */
const SHORT = `paths:
  /api/v1/teas:
    get:
      operationId: listTeas
      description: One page of teas.
      security: []
      parameters: [Page]
      responses: { '200': TeaList }
    post:
      operationId: createTea
      security: []
      requestBody: TeaCreate
      responses: { '201': Tea, '409': Conflict }
  /api/v1/teas/{id}:
    parameters: [TeaId]
    get:
      operationId: getTea
      security: []
      responses: { '200': Tea }
    delete:
      operationId: deleteTea
      security: []
      responses: { '204': The tea is gone. }
    patch:
      operationId: updateTea
      summary: Blend a tea
      security: []
      parameters: [Page]
      requestBody: TeaCreate
      responses: { '200': Tea }
  /api/v2/teas: { x-same-as: /api/v1/teas }
  /api/v2/teas/{id}:
    x-same-as: /api/v1/teas/{id}
    get:
      operationId: getTeaV2
      tags: [drinks]
      security: []
      responses: { '200': TeaV2 }
components:
  parameters:
    Page: { name: page, in: query, schema: { type: integer } }
    PageCursor: { name: cursor, in: query, schema: { type: string } }
    If-Match: { name: If-Match, in: header, schema: { type: string } }
    If-None-Match: { name: If-None-Match, in: header, schema: { type: string } }
    TeaId: { name: id, in: path, description: The id of the tea. }
    InTea: { name: tea_id, in: query, description: Only with this tea. }
  responses:
    Conflict: { description: Another row is in the way. }
  schemas:
    Id: { type: integer }
    Tea: { type: object, description: A tea., properties: { id: Id } }
    TeaV2: { type: object, description: A better tea., properties: { id: Id } }
    TeaCreate: { description: A new tea., x-part-of: Leaf, required: [name], x-optional: [age] }
    TeaUpdate: { description: New values., x-part-of: Leaf, x-unchanged: [id], x-optional: [name] }
    UnchangedId: { type: integer, readOnly: true }
    Leaf:
      x-entity: Leaf
      properties: { id: Id, name: Id, age: Id }
      examples: [{ id: 1, name: Assam, age: 2 }]
    Garden:
      type: object
      properties:
        name: { x-text: line, maxLength: 60, description: The name. }
        history: { type: [string, 'null'], x-text: lines, maxLength: 900 }
        motto: { x-text: lines, minLength: 2, maxLength: 90 }
        tea_id: { type: [integer, 'null'], x-refers: { entity: Leaf, code: UNKNOWN } }
        owner_id: { x-refers: { entity: Leaf, code: UNKNOWN } }
`;

interface Operation {
  readonly summary?: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly object[];
  readonly requestBody: object;
  readonly responses: Readonly<Record<string, object>>;
}
type Texts = Readonly<Record<string, { readonly pattern: string; readonly 'x-message': string }>>;
interface Whole {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: object; readonly schemas: Readonly<Record<string, object>> };
}

const completed = await new Contract(SHORT).completed();
const { paths, components } = parse(completed) as Whole;
const json = (name: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
});

describe('the short forms of openapi.yaml', () => {
  it.each([
    [
      'a parameter',
      '[TeaId]',
      '[TeaIdd]',
      '15: TeaIdd is no name in components.parameters. The nearest name is TeaId.',
    ],
    [
      'a body',
      'TeaCreate\n',
      'TeaCreat\n',
      '12: TeaCreat is no name in components.requestBodies or components.schemas.',
    ],
    [
      'a response',
      "'201': Tea,",
      "'201': Te,",
      '13: Te is no name in components.responses or components.schemas.',
    ],
    [
      'a member',
      '{ id: Id } }',
      '{ id: Idd } }',
      'Idd is no name in components.schemas. The nearest name is Id.',
    ],
    [
      'another schema',
      'x-part-of: Leaf',
      'x-part-of: Leav',
      'Leav is no name in components.schemas. The nearest name is Leaf.',
    ],
  ])(
    'are refused if the name of %s is wrong: the fault has the place and an example',
    async (_what, right, wrong, fault) => {
      const text = SHORT.replace(right, wrong);
      expect(text).not.toBe(SHORT);
      const faults = new Contract(text).faults().map(({ place, text: words }) => `${place}: ${words}`);
      expect(faults).toEqual([expect.stringContaining(fault)]);
      expect(faults[0]).toMatch(/An example: [\w'-]+: /);
      await expect(async () => new Contract(text).completed()).rejects.toThrow(fault);
    },
  );

  it('allow the name of a page of version 2, even if version 1 has no such schema', async () => {
    const text = SHORT.replaceAll("'200': Tea }", "'200': MilkPage }").replace('TeaV2: {', 'MilkV2: {');
    const whole = parse(await new Contract(text.replace('TeaV2 }', 'MilkV2 }')).completed()) as Whole;
    expect(whole.components.schemas['MilkPage']).toMatchObject({
      properties: { data: { items: { $ref: '#/components/schemas/MilkV2' } } },
    });
    const list = text.replace('TeaV2 }', 'MilkList }');
    expect(new Contract(list).faults().map((fault) => fault.text)).toEqual([
      expect.stringContaining('MilkList is no name in components.responses or components.schemas.'),
    ]);
  });

  it('leave the keywords of a member as they are, even if the member has the name properties', async () => {
    const text = SHORT.replace(
      '{ id: Id } }',
      '{ properties: { type: object, description: More., properties: { id: Id } } } }',
    );
    expect(text).not.toBe(SHORT);
    const whole = parse(await new Contract(text).completed()) as Whole;
    const id = { $ref: '#/components/schemas/Id' };
    expect(whole.components.schemas['Tea']).toMatchObject({
      properties: { properties: { type: 'object', description: 'More.', properties: { id } } },
    });
  });

  it('give references for the names of schemas in a body and in a list', async () => {
    const text = SHORT.replace(
      "'200': Tea }",
      "'200': { description: A tea., content: { application/json: { schema: Tea } } } }",
    ).replace('{ id: Id } }', '{ id: Id, leaves: { type: array, items: Leaf } } }');
    const whole = parse(await new Contract(text).completed()) as Whole;
    expect(whole.paths['/api/v1/teas/{id}']?.['get']?.responses['200']).toMatchObject({
      content: json('Tea'),
    });
    expect(whole.components.schemas['Tea']).toMatchObject({
      properties: { leaves: { items: { $ref: '#/components/schemas/Leaf' } } },
    });
  });

  it('give a named response no link to the created row, because it may have links of its own', async () => {
    const text = SHORT.replace("'201': Tea,", "'201': Made,").replace(
      '    Conflict: {',
      '    Made: { description: The new tea. }\n    Conflict: {',
    );
    const whole = parse(await new Contract(text).completed()) as Whole;
    expect(whole.paths['/api/v1/teas']?.['post']?.responses['201']).toEqual({
      $ref: '#/components/responses/Made',
    });
  });

  it('tie the list of version 2 to GraphQL, even if the list of version 1 has x-untied', async () => {
    const text = SHORT.replace('listTeas\n', 'listTeas\n      x-untied: GraphQL has a connection.\n');
    const whole = parse(await new Contract(text).completed()) as Whole;
    expect(whole.paths['/api/v1/teas']?.['get']).toHaveProperty('x-untied');
    expect(whole.paths['/api/v2/teas']?.['get']).not.toHaveProperty('x-untied');
  });

  it('leave out the bound of page numbers in the list of version 2', async () => {
    const words =
      '      x-reach: { all: 100000 }\n      description: One page of teas. `page` × `limit` may be at most 100,000.\n';
    const text = SHORT.replace('      description: One page of teas.\n', words);
    const whole = parse(await new Contract(text).completed()) as Whole;
    expect(whole.paths['/api/v1/teas']?.['get']).toHaveProperty('x-reach', { all: 100_000 });
    const list = whole.paths['/api/v2/teas']?.['get'];
    expect(list).not.toHaveProperty('x-reach');
    expect(list).toHaveProperty('description', expect.stringMatching(/^One page of teas\. The cursors/));
  });

  it('are gone after npm run contract, and a second run changes nothing', async () => {
    expect(new Contract(completed).faults()).toEqual([]);
    expect(await new Contract(completed).completed()).toBe(completed);
  });

  it('are refused by npm run codegen, with their lines', () => {
    const faults = new Contract(SHORT).faults().map(({ place, text }) => `${place} ${text}`);
    expect(faults).toContain(
      'openapi.yaml:12 the body TeaCreate stands for a schema; npm run contract writes it in full',
    );
    expect(faults).toContain(
      'openapi.yaml:3 /api/v1/teas has no x-alias; npm run contract writes it in full',
    );
  });

  it('keep the words of both versions the same: version 2 follows version 1', async () => {
    const words = 'summary: Blend a tea';
    const place = completed.lastIndexOf(words);
    expect(completed.indexOf(words)).toBeLessThan(place);
    const text = `${completed.slice(0, place)}summary: Stir a tea${completed.slice(place + words.length)}`;
    expect(new Contract(text).faults().map((fault) => fault.text)).toEqual([
      'the summary of updateTeaV2 differs from that of updateTea. Change it at updateTea; npm run contract copies it from there',
    ]);
    expect(await new Contract(text).completed()).toBe(completed);
  });

  it('copy a changed description of a list to version 2, unless an author has changed it there', async () => {
    const copies = new Copies();
    new Contract(completed, copies).faults();
    const text = completed.replace('description: One page of teas.\n', 'description: All teas.\n');
    expect(text).not.toBe(completed);
    const known = () => new Copies(String(copies));
    expect(new Contract(text, known()).faults().map((fault) => fault.text)).toEqual([
      'the description of listTeasV2 is a copy, and its source has changed; npm run contract copies it again',
    ]);
    const whole = parse(await new Contract(text, known()).completed()) as Whole;
    const words = 'All teas. The cursors of `page` lead to the next and the previous page.';
    expect(whole.paths['/api/v2/teas']?.['get']).toMatchObject({ description: words });
    const own = text.replace(/One page of teas\.[^\n]*/, 'Teas.');
    expect(new Contract(own, known()).faults()).toEqual([]);
  });

  it('make the schemas of the request bodies for a row: only the body of a change has the members that the service sets', async () => {
    const row = `    Leaf:
      x-entity: Leaf
      properties: { id: Id, name: Id, age: Age, created_at: Id }
      examples: [{ id: 1, name: 2, age: 3, created_at: 4 }]
    Age: { type: [integer, 'null'] }
    UnchangedTime: { type: string, readOnly: true }
`;
    const text = SHORT.replace(/ {4}Leaf:\n(?: {6}.*\n)+/, row)
      .replace(
        "requestBody: TeaCreate\n      responses: { '201'",
        "requestBody: LeafCreate\n      responses: { '201'",
      )
      .replace(
        "requestBody: TeaCreate\n      responses: { '200'",
        "requestBody: LeafUpdate\n      responses: { '200'",
      );
    expect(new Contract(text).faults().map((fault) => fault.text)).toContain(
      'there is no schema LeafUpdate; npm run contract writes it in full',
    );
    const whole = parse(await new Contract(text).completed()) as Whole;
    const { LeafCreate, LeafUpdate } = whole.components.schemas;
    expect(LeafCreate).toMatchObject({
      description: 'A new leaf.',
      required: ['name'],
      examples: [{ name: 2, age: 3 }],
    });
    expect(Object.keys((LeafCreate as { properties: object }).properties)).toEqual(['name', 'age']);
    expect(LeafUpdate).toMatchObject({ description: 'Members of the leaf to change.', minProperties: 1 });
    expect(LeafUpdate).not.toHaveProperty('required');
    expect(Object.keys((LeafUpdate as { properties: object }).properties)).toEqual([
      'id',
      'created_at',
      'name',
      'age',
    ]);
    expect(whole.paths['/api/v1/teas']?.['post']?.requestBody).toMatchObject({ description: 'A new leaf.' });
  });

  it('turn names into references, and give bodies and responses the descriptions of their schemas', () => {
    const { get, post } = paths['/api/v1/teas'] ?? {};
    expect(get?.parameters).toContainEqual({ $ref: '#/components/parameters/Page' });
    expect(get?.responses['200']).toMatchObject({
      description: 'One page of a list.',
      content: json('TeaList'),
    });
    expect(post?.requestBody).toEqual({
      description: 'A new tea.',
      required: true,
      content: json('TeaCreate'),
    });
    expect(post?.responses).toMatchObject({
      201: { description: 'A tea.', content: json('Tea') },
      409: { $ref: '#/components/responses/Conflict' },
    });
    expect(paths['/api/v1/teas/{id}']?.['delete']?.responses['204']).toMatchObject({
      description: 'The tea is gone.',
    });
    expect(components.schemas['Tea']).toMatchObject({
      properties: { id: { $ref: '#/components/schemas/Id' } },
    });
  });

  it('give a path its alias, and an operation its tag and its link to the created row', () => {
    const { 'x-alias': alias, post } = paths['/api/v1/teas'] ?? {};
    expect(alias).toBe('/api/teas');
    expect(post?.tags).toEqual(['teas']);
    expect(post?.responses['201']).toMatchObject({
      links: { self: { operationId: 'getTea', parameters: { id: '$response.body#/id' } } },
    });
  });

  it('give the schema of an id to a parameter without a schema', () => {
    expect(components.parameters).toMatchObject({
      TeaId: { in: 'path', required: true, schema: { $ref: '#/components/schemas/Id' }, example: 1 },
      InTea: { in: 'query', schema: { $ref: '#/components/schemas/Id' }, example: 1 },
    });
    expect(components.parameters).not.toHaveProperty('InTea.required');
  });

  it('give an operation on one row If-Match or If-None-Match, unless its author wrote parameters', () => {
    const { get, delete: remove, patch } = paths['/api/v1/teas/{id}'] ?? {};
    expect(get?.parameters).toContainEqual({ $ref: '#/components/parameters/If-None-Match' });
    expect(remove?.parameters).toContainEqual({ $ref: '#/components/parameters/If-Match' });
    expect(patch?.parameters).not.toContainEqual({ $ref: '#/components/parameters/If-Match' });
  });

  it('give a DELETE no If-Match if no other operation changes the row', async () => {
    const text = SHORT.replace(/ {4}patch:\n(?: {6}.*\n)+/, '');
    expect(text).not.toBe(SHORT);
    const whole = parse(await new Contract(text).completed()) as Whole;
    expect(whole.paths['/api/v1/teas/{id}']?.['delete']).not.toHaveProperty('parameters');
  });

  it('give an operation the summary that follows from its operationId', () => {
    expect(
      Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ summary }) => summary ?? [])),
    ).toEqual(
      expect.arrayContaining(['List teas', 'Create a tea', 'Get one tea', 'Delete a tea', 'Blend a tea']),
    );
  });

  it('give texts their patterns, and ids their bounds', () => {
    const { name, history, motto, tea_id, owner_id } = (components.schemas['Garden'] as { properties: Texts })
      .properties;
    const [line, lines] = [name, motto].map((schema) => new RegExp(schema?.pattern ?? '', 'u'));
    expect(name).toMatchObject({ type: 'string', minLength: 1, maxLength: 60, description: 'The name.' });
    expect(name?.['x-message']).toMatch(/^must have a character that is not blank/);
    expect(['a b', ' ', 'a\nb', 'a\0'].map((text) => line?.test(text))).toEqual([true, false, false, false]);
    expect(['a\n\tb', ' ', 'a\0'].map((text) => lines?.test(text))).toEqual([true, false, false]);
    expect(history).toMatchObject({ type: ['string', 'null'], maxLength: 900 });
    expect(new RegExp(history?.pattern ?? '', 'u').test(' \n')).toBe(true);
    const bounds = { format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
    expect(tea_id).toMatchObject({ type: ['integer', 'null'], ...bounds });
    expect(owner_id).toMatchObject({ type: 'integer', ...bounds });
  });

  it('keep an unknown kind of text unchanged, so that npm run codegen refuses it as an unknown keyword', async () => {
    const text = SHORT.replace('x-text: lines, minLength', 'x-text: word, minLength');
    const whole = parse(await new Contract(text).completed()) as Whole;
    expect(whole.components.schemas['Garden']).toMatchObject({ properties: { motto: { 'x-text': 'word' } } });
  });

  it('add the operations of the other version to a path, except those that the path has', () => {
    const { get, delete: remove, parameters } = paths['/api/v2/teas/{id}'] ?? {};
    expect(parameters).toEqual([{ $ref: '#/components/parameters/TeaId' }]);
    expect(get).toMatchObject({ tags: ['drinks'], responses: { 200: { content: json('TeaV2') } } });
    expect(remove).toMatchObject({ operationId: 'deleteTeaV2', 'x-same-as': 'deleteTea', tags: ['teas'] });
  });

  it('give cursors to a list of the other version', () => {
    const { get, post } = paths['/api/v2/teas'] ?? {};
    expect(get).toMatchObject({
      operationId: 'listTeasV2',
      description: 'One page of teas. The cursors of `page` lead to the next and the previous page.',
      responses: { 200: { content: json('TeaPage') } },
    });
    expect(get?.parameters).toContainEqual({ $ref: '#/components/parameters/PageCursor' });
    expect(post).toMatchObject({ operationId: 'createTeaV2', 'x-same-as': 'createTea' });
  });

  it('copy the parts of another schema into a schema, and require all members of rows', () => {
    const id = { $ref: '#/components/schemas/Id' };
    expect(components.schemas['TeaCreate']).toEqual({
      description: 'A new tea.',
      required: ['name'],
      type: 'object',
      additionalProperties: false,
      properties: { name: id, age: id },
      examples: [{ name: 'Assam', age: 2 }],
    });
    expect(components.schemas['TeaUpdate']).toEqual({
      description: 'New values.',
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        id: { $ref: '#/components/schemas/UnchangedId' },
        name: { $ref: '#/components/schemas/Id' },
      },
      examples: [{ name: 'Assam' }],
    });
    expect(components.schemas['Leaf']).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['id', 'name', 'age'],
    });
  });
});
