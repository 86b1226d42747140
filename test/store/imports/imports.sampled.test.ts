import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { ImportsRepository } from '../../../src/store/imports/imports.repository.js';
import {
  addPart,
  ended,
  imported,
  read,
  refusals,
  refusedRows,
  send,
} from '../../support/clients/imports.js';
import { startApp, type TestApp, type Call } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createKey } from '../../support/clients/keys.js';
import { onlyLong } from '../../support/sampled.js';

const IMPORTS = '/api/v2/imports';
const GOOD = 'id,name,price\na,Earl Grey,4.50\nb,Assam,3.20\n';
const MIXED = 'id,name,price\na,Earl Grey,4.50\nb,"Assam, ""first""",x\nc,,2\nd,Chai,1,2\n';

function asked(token: string): Call {
  return { key: null, headers: { authorization: `Bearer ${token}` } };
}

/** A mapping for the columns `a` (the id), `b` and `c` (the price). */
function mapped(fields: object): string {
  return JSON.stringify({ source: 'x', fields: { id: 'a', price: 'c', ...fields } });
}

const LINES = JSON.stringify({
  source: 'bounds',
  fields: { id: 'order', user_id: { column: 'user', required: false } },
  items: {
    fields: {
      order_id: 'order',
      product_id: { column: 'product', required: false },
      name: { value: 'Tea' },
      quantity: { value: '1' },
      unit_price: { value: '1' },
    },
  },
});

function linesOf(order: string, count: number): string {
  return `${order},,\n`.repeat(count);
}

async function versionOf(store: TestApp, id: number): Promise<number | undefined> {
  const { reads } = store.app.get(Database, { strict: false });
  return (await reads.one<{ version: number }>(sql`SELECT version FROM imports WHERE id = ${id}`))?.version;
}

describeOnEachEngine('an import over the API', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const products = async () =>
    (await store.call('GET', '/api/v2/products?limit=100')).body.data.map(
      ({ name }: { name: string }) => name,
    );

  it('writes the rows of a file, and changes nothing the second time', async () => {
    const first = await imported(store, { kind: 'products', source: 'twice' }, GOOD);
    expect(first).toMatchObject({
      state: 'done',
      read: 2,
      rows: 2,
      rows_done: 2,
      created: 2,
      refused: 0,
      problem: null,
    });
    expect(await products()).toEqual(expect.arrayContaining(['Earl Grey', 'Assam']));
    const second = await imported(store, { kind: 'products', source: 'twice' }, GOOD);
    expect(second).toMatchObject({ state: 'done', created: 0, unchanged: 2 });
    expect(await refusals(store, first.id)).toEqual([]);
    expect(await refusedRows(store, first.id)).toBe('');
  });

  it('writes nothing in a rehearsal, and reports every fault at its line', async () => {
    const before = await products();
    const found = await imported(store, { kind: 'products', source: 'rehearsed', rehearsal: true }, MIXED);
    expect(found).toMatchObject({ state: 'done', read: 4, created: 1, refused: 3, rehearsal: true });
    expect(await products()).toEqual(before);
    const told = (await refusals(store, found.id)).map(({ line, column, code }) => [line, column, code]);
    expect(told).toEqual([
      [3, 'price', 'fault'],
      [4, 'name', 'fault'],
      [5, '', 'fault'],
    ]);
  });

  it('gives the refused rows as a file that can be imported when it is corrected', async () => {
    const found = await imported(store, { kind: 'products', source: 'mended' }, MIXED);
    expect(found).toMatchObject({ created: 1, refused: 3 });
    const file = await refusedRows(store, found.id);
    const [head, second, third, fourth] = file.split('\n');
    expect(head).toBe('refused_because,id,name,price');
    expect(second).toContain(',b,"Assam, ""first""",x');
    expect(third).toMatch(/,c,,2$/);
    expect(fourth).toMatch(/^"has 4 columns, but the header has 3",d,Chai,1,2$/);
    const again = await imported(store, { kind: 'products', source: 'mended' }, file);
    expect(again).toMatchObject({ created: 0, refused: 3 });
    expect((await refusedRows(store, again.id)).split('\n')[2]).toBe(third);
    const mended = file
      .replace('",x', '",2.50')
      .replace('c,,2', 'c,Ceylon,2')
      .replace('Chai,1,2', 'Chai,1.20');
    const last = await imported(store, { kind: 'products', source: 'mended' }, mended);
    expect(last).toMatchObject({ state: 'done', created: 3, refused: 0 });
    expect(await products()).toEqual(expect.arrayContaining(['Assam, "first"', 'Ceylon', 'Chai']));
  });

  it('gives a broken row of a file with CRLF as a refused row with all of its text', async () => {
    const text = 'id,name,price\r\n1,"a\r\nb",1\r\n2,c"d",2\r\n3,e,3\r\n';
    const found = await imported(store, { kind: 'products', source: 'broken' }, text);
    expect(found).toMatchObject({ read: 3, created: 2, refused: 1 });
    expect((await refusals(store, found.id)).map(({ line }) => line)).toEqual([4]);
    const [, row, ...rest] = (await refusedRows(store, found.id)).split('\n');
    expect(row).toMatch(/^"is not CSV .*",2,c"d",2$/);
    expect(rest).toEqual(['']);
  });

  it('leaves out the empty lines before the header and before a refused row', async () => {
    const text = '\n\nid,name,price\n\n\n1,Tea,x\n';
    const { id } = await imported(store, { kind: 'products', source: 'spaced' }, text);
    expect(await refusedRows(store, id)).toMatch(/^refused_because,id,name,price\n".*",1,Tea,x\n$/);
  });

  it('reads NDJSON, and gives its refused rows as NDJSON', async () => {
    const rows = [
      '{"id":"n1","name":"Oolong","price":5}',
      '{"id":"n2","name":"Bad","price":"x"}',
      'nonsense',
    ];
    const found = await imported(
      store,
      { kind: 'products', format: 'ndjson', source: 'json' },
      rows.join('\n'),
    );
    expect(found).toMatchObject({ created: 1, refused: 2 });
    const lines = (await refusedRows(store, found.id)).trim().split('\n');
    const [bad, broken] = lines.map((line) => JSON.parse(line));
    expect(bad).toMatchObject({ id: 'n2', name: 'Bad', price: 'x' });
    expect(bad.refused_because).toContain('price');
    expect(broken).toEqual({ refused_because: 'is not JSON', text: 'nonsense' });
    const mended = (lines[0] as string).replace('"price":"x"', '"price":2');
    expect(
      await imported(store, { kind: 'products', format: 'ndjson', source: 'json' }, mended),
    ).toMatchObject({
      created: 1,
      refused: 0,
    });
  });

  it('reads a file with other columns by a mapping', async () => {
    const mapping = JSON.stringify({
      source: 'other',
      delimiter: ';',
      fields: { id: 'nr', name: 'title', price: { column: 'cost', decimal_mark: ',' } },
    });
    const found = await imported(
      store,
      { kind: 'products', mapping },
      'nr;title;cost;more\n1;Mapped;2,50;x\n',
    );
    expect(found).toMatchObject({ state: 'done', source: 'other', created: 1 });
    expect(await products()).toContain('Mapped');
  });

  it('reads orders with one row for each order line, and refuses all rows of an order with an unknown user', async () => {
    await imported(store, { kind: 'users', source: 'lines' }, 'id,name,email\nu1,Ada,lines@example.com\n');
    await imported(store, { kind: 'products', source: 'lines' }, 'id,name,price\np1,Tea,2\n');
    const mapping = JSON.stringify({
      source: 'lines',
      fields: { id: 'order', user_id: 'user' },
      items: { fields: { order_id: 'order', product_id: 'product', quantity: 'count', unit_price: 'price' } },
    });
    const file = 'order,user,product,count,price\no1,u1,p1,1,2\no1,u1,p1,2,2\no2,u9,p1,1,2\no2,u9,p1,3,2\n';
    const wanted = { kind: 'orders', order_lines: true, mapping };
    const found = await imported(store, wanted, file);
    expect(found).toMatchObject({ state: 'done', created: 1, repeated: 1, refused: 2, order_items: 4 });
    const rows = await refusedRows(store, found.id);
    expect(rows.trim().split('\n')).toHaveLength(3);
    expect(await refusals(store, found.id)).toMatchObject([
      { line: 4, column: 'user_id', value: 'u9', code: 'fault' },
      { line: 5, column: 'user_id', value: 'u9', code: 'consequence' },
    ]);
    expect(await imported(store, { ...wanted, rehearsal: true }, file)).toMatchObject({
      unchanged: 1,
      repeated: 1,
      refused: 2,
    });
    const last = await imported(store, wanted, rows.replaceAll(',u9,', ',u1,'));
    expect(last).toMatchObject({ created: 1, refused: 0, order_items: 2 });
  });

  it.each([
    ['other-user', 'names another user than the first row', 'o1,,p1,paid\no1,u9,p1,paid\no1,,p1,paid\n', 3],
    ['other-state', 'has another status than the first row', 'o1,,p1,paid\no1,,p1,paid\no1,,p1,pending\n', 4],
    ['later', 'has a fault, and is not the first row', 'o1,,p1,paid\no1,,p1,wrong\no1,,p1,paid\n', 3],
    ['first', 'has a fault, and is the first row', 'o1,,p1,wrong\no1,,p1,paid\no1,,p1,paid\n', 2],
    [
      'no-user',
      'names an unknown user, and is the first row',
      'o1,u9,p1,paid\no1,,p1,paid\no1,,p1,paid\n',
      3,
    ],
    ['no-product', 'names an unknown product', 'o1,,p1,paid\no1,,p9,paid\no1,,p1,paid\n', 2],
  ])('refuses all rows of an order (%s) if one of them %s', async (source, _words, rows, line) => {
    await imported(store, { kind: 'products', source }, 'id,name,price\np1,Tea,2\n');
    const mapping = JSON.stringify({
      source,
      fields: { id: 'order', user_id: { column: 'user', required: false }, status: 'status' },
      items: {
        fields: {
          order_id: 'order',
          product_id: 'product',
          quantity: { value: '1' },
          unit_price: { value: '1' },
        },
      },
    });
    const wanted = { kind: 'orders', order_lines: true, mapping };
    const found = await imported(store, wanted, `order,user,product,status\n${rows}o2,,p1,paid\n`);
    expect(found).toMatchObject({ state: 'done', created: 1, repeated: 0, refused: 3, order_items: 4 });
    const faults = await refusals(store, found.id);
    expect(faults.find(({ code }) => code === 'fault')).toMatchObject({ line });
    const refusedOnes = await refusedRows(store, found.id);
    expect(refusedOnes.trim().split('\n')).toHaveLength(4);
    const corrected = refusedOnes
      .replaceAll(',u9,', ',,')
      .replaceAll(',p9,', ',p1,')
      .replaceAll(/,(wrong|pending)\n/g, ',paid\n');
    const last = await imported(store, wanted, corrected);
    expect(last).toMatchObject({ state: 'done', created: 1, refused: 0, order_items: 3 });
  });

  it('counts a row once if it names no order or cannot be read', async () => {
    const file = 'order,user,product\no1,,\n,,\no1,,,more\n';
    const found = await imported(store, { kind: 'orders', order_lines: true, mapping: LINES }, file);
    expect(found).toMatchObject({ state: 'done', read: 3, created: 1, repeated: 0, refused: 2 });
  });

  it('refuses a row that repeats a refused row, and does not count it as repeated', async () => {
    const mail = 'counted@example.com';
    await imported(store, { kind: 'users', source: 'counted' }, `id,name,email\na,Ada,${mail}\n`);
    const file = `id,name,email\nb,Bob,${mail}\nb,Bob,${mail}\nc,Cy,cy@example.com\nc,Cy,cy@example.com\n`;
    for (const rehearsal of [true, false]) {
      const found = await imported(store, { kind: 'users', source: 'counted', rehearsal }, file);
      expect(found).toMatchObject({ read: 4, created: 1, repeated: 1, refused: 2 });
      expect(await refusals(store, found.id)).toMatchObject([
        { line: 2, column: 'email', code: 'fault' },
        { line: 3, column: 'email', code: 'consequence' },
      ]);
      expect((await refusedRows(store, found.id)).trim().split('\n')).toHaveLength(3);
    }
  });

  it('recognises products by their names and users by their addresses if the mapping has no id', async () => {
    const wanted = {
      kind: 'products',
      source: 'titles',
      mapping: JSON.stringify({ fields: { name: 'Title', price: 'Cost' } }),
    };
    const file = 'Title,Cost\nTitled lamp,5\nTitled chair,7\n';
    expect(await imported(store, wanted, file)).toMatchObject({ state: 'done', created: 2 });
    // A file without a mapping and without ids names the same rows.
    const own = await imported(store, { kind: 'products', source: 'titles' }, 'name,price\nTitled lamp,6\n');
    expect(own).toMatchObject({ created: 0, updated: 1 });
    const mapping = JSON.stringify({ fields: { name: 'Who', email: 'Mail' } });
    const users = { kind: 'users', source: 'titles', mapping };
    expect(await imported(store, users, 'Who,Mail\nAda,ada@titles.example\n')).toMatchObject({ created: 1 });
    const again = await imported(store, users, 'Who,Mail\nAda L,ADA@titles.example\n');
    expect(again).toMatchObject({ created: 0, updated: 1, refused: 0 });
  });

  it('accepts the parts of a file in any order, and a part that is sent again', async () => {
    const { body } = await store.call('POST', IMPORTS, {
      body: { kind: 'products', format: 'csv', source: 'parts' },
    });
    expect((await addPart(store, body.id, { number: 2, text: 'Tea,1\nq2,Cof' })).body).toMatchObject({
      parts: 1,
      state: 'uploading',
    });
    expect((await addPart(store, body.id, { number: 1, text: 'wrong' })).body).toMatchObject({
      parts: 2,
      bytes: 17,
    });
    expect((await addPart(store, body.id, { number: 1, text: 'id,name,price\nq1,' })).body.parts).toBe(2);
    const early = await addPart(store, body.id, { number: 4, text: 'x', last: true });
    expect([early.status, early.body.code]).toEqual([409, 'IMPORT_INCOMPLETE']);
    expect(early.body.detail).toContain('part 3');
    expect((await addPart(store, body.id, { number: 3, text: 'fee,2\n', last: true })).body.state).toBe(
      'waiting',
    );
    expect(await ended(store, body.id)).toMatchObject({ state: 'done', created: 2 });
    const late = await addPart(store, body.id, { number: 1, text: 'x' });
    expect([late.status, late.body.code]).toEqual([409, 'IMPORT_STARTED']);
  });

  it('reads a file with a byte order mark, CRLF, and letters outside of ASCII', async () => {
    const file = '\uFEFFid;name;price\r\nä;"Tee 🍵\r\nzwei";1,5\r\n';
    const mapping = JSON.stringify({
      source: 'letters',
      delimiter: ';',
      fields: {
        id: 'id',
        name: { column: 'name', convert: { replace: '\n', with: ' ' } },
        price: { column: 'price', decimal_mark: ',' },
      },
    });
    const found = await imported(store, { kind: 'products', mapping }, file);
    expect(found).toMatchObject({ state: 'done', created: 1 });
    expect(await products()).toContain('Tee 🍵 zwei');
  });

  it.each([
    ['a header without a required column', 'id,name\n1,Tea\n', /no column «price»/],
    ['an unknown column', 'id,name,price,colour\n1,Tea,1,red\n', /«colour»/],
    ['no header', '\n', /is empty/],
    ['a quote that does not end', 'id,name,price\n1,"Tea,1\n', /never closed/],
    ['a row that is too long', `id,name,price\n1,"${'x'.repeat(70_000)}",1\n`, /more than 64 KiB/],
  ])('fails for a file with %s, and says why', async (_what, file, problem) => {
    const found = await imported(store, { kind: 'products', source: 'broken' }, file);
    expect(found).toMatchObject({ state: 'failed', created: 0 });
    expect(found.problem).toMatch(problem);
    expect(found.problem).not.toContain('--');
  });

  // PostgreSQL cannot store a NUL. The import would run again and again, and all other imports would wait.
  it('fails for a mapping that names a column with a NUL', async () => {
    const found = await imported(store, { kind: 'products', mapping: mapped({ name: '\0' }) }, 'a,c\n1,2\n');
    expect(found).toMatchObject({ state: 'failed' });
    expect(found.problem).toContain('has no column «\\u0000»');
  });

  it.each([
    ['csv', 'id,name,price\na,Tea,x\nb,Milk,2\n"c,Mug,1\n', /never closed/, 4, 'a,Tea,x'],
    [
      'csv',
      `id,name,price\na,Tea,x\nb,Milk,2\nc,${'é'.repeat(40_000)},1\n`,
      /more than 64 KiB/,
      4,
      'a,Tea,x',
    ],
    [
      'ndjson',
      `{"id":"a","price":"x"}\n{"id":"b","name":"Milk","price":2}\n{"id":"${'é'.repeat(40_000)}"}\n`,
      /more than 64 KiB/,
      3,
      '"id":"a","price":"x"',
    ],
    [
      'ndjson',
      `{"id":"a","price":"x"}\n{"id":"b","name":"Milk","price":2}\n{"id":"${'c'.repeat(140_000)}`,
      /more than 64 KiB/,
      3,
      '"id":"a","price":"x"',
    ],
  ])(
    'reports the line at which a broken file (%s) cannot be read, and keeps the refused rows above this line',
    async (format, file, problem, line, row) => {
      const found = await imported(store, { kind: 'products', source: 'half', format }, file);
      expect(found).toMatchObject({ state: 'failed', problem_line: line, created: 0, read: 2, refused: 1 });
      expect(found.problem).toMatch(problem);
      expect(found.problem).toContain('Nothing was written. Correct the file');
      expect((await refusals(store, found.id))[0]).toMatchObject({ code: 'fault' });
      expect(await refusedRows(store, found.id)).toContain(row);
    },
  );

  it('can be listed with the newest first, page by page in both directions', async () => {
    for (let count = 0; count < 5; count += 1) await send(store, { kind: 'products', rehearsal: true }, GOOD);
    const page = async (query: string) => {
      const { body } = await store.call('GET', `${IMPORTS}?sort=-id&limit=2${query}`);
      return { ids: (body.data as { id: number }[]).map(({ id }) => id), ...body.page };
    };
    const { body: whole } = await store.call('GET', `${IMPORTS}?limit=100`);
    const ids = (whole.data as { id: number }[]).map(({ id }) => id).toReversed();
    const first = await page('');
    const second = await page(`&cursor=${first.next}`);
    expect([...first.ids, ...second.ids]).toEqual(ids.slice(0, 4));
    expect((await page(`&cursor=${second.previous}`)).ids).toEqual(first.ids);
    const { status } = await store.call('GET', `${IMPORTS}?sort=kind`);
    expect(status).toBe(400);
  });

  it.each([
    [
      'an unknown rule',
      { mapping: 'source: x\nfields: { id: a, name: b, price: c, colour: d }' },
      '#/mapping',
      /colour/,
    ],
    ['broken YAML', { mapping: 'fields: [' }, '#/mapping', /./],
    ['too many levels', { mapping: '['.repeat(8_000) }, '#/mapping', /line 1: it has more than 50 levels/],
    [
      'too many levels after closing brackets in a comment',
      { mapping: `#${']'.repeat(3_900)}\n${'['.repeat(3_900)}` },
      '#/mapping',
      /line 2: it has more than 50 levels/,
    ],
    [
      'too many levels with closing brackets in texts',
      { mapping: '["]",'.repeat(1_000) },
      '#/mapping',
      /line 1: it has more than 50 levels/,
    ],
    [
      'no source',
      { mapping: 'fields: { id: a, name: b, price: c }' },
      '#/mapping',
      /«source» with the import/,
    ],
    ['lines of orders for products', { order_lines: true }, '#/order_lines', /orders/],
    [
      'a long replacement',
      {
        mapping: mapped({ name: { column: 'b', convert: { replace: 'a', with: 'b'.repeat(201) } } }),
      },
      '#/mapping',
      /200/,
    ],
    [
      'too many conversions in a template',
      { mapping: mapped({ name: { template: `{b${'|trim'.repeat(11)}}` } }) },
      '#/mapping',
      /line 1: fields\.name\.template has too many conversions: a member has at most 10/,
    ],
    [
      'too many conversions in the branches of a rule',
      {
        mapping: [
          'source: x',
          'fields:',
          '  id: a',
          '  price: c',
          '  name:',
          '    if: { column: a, present: true }',
          '    then: { column: b, convert: [slug, slug, slug, slug, slug, slug] }',
          '    else: { column: c, convert: [slug, slug, slug, slug, slug] }',
        ].join('\n'),
      },
      '#/mapping',
      /line 8: fields\.name\.else\.convert has too many conversions/,
    ],
    ['a wrong source', { source: 'No!' }, '#/source', /small letters/],
  ])('is refused with %s', async (_what, wanted, pointer, detail) => {
    const { status, body } = await store.call('POST', IMPORTS, {
      body: { kind: 'products', format: 'csv', ...wanted },
    });
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({ pointer });
    expect(body.errors[0].detail).toMatch(detail);
    expect(body.detail).toMatch(/[^.]\.$/);
  });

  it('accepts a mapping with many brackets in texts and comments', async () => {
    const name = { column: 'b', default: '['.repeat(100) };
    const mapping = `# ${'[{'.repeat(100)}\n${mapped({ name })}`;
    const { status } = await store.call('POST', IMPORTS, {
      body: { kind: 'products', format: 'csv', mapping },
    });
    expect(status).toBe(201);
  });

  it('keeps the newest 20 reports of a caller, even if all its imports were made before the first one ended', async () => {
    const key = await createKey(store, ['products:write']);
    const ids: number[] = [];
    for (let count = 0; count < 23; count += 1) {
      const body = { kind: 'products', format: 'csv', rehearsal: true };
      ids.push((await store.call('POST', IMPORTS, { key, body })).body.id as number);
    }
    for (const id of ids) {
      await addPart(store, id, { number: 1, text: 'id,name,price\n1,Tea,x\n', last: true }, { key });
      await ended(store, id);
    }
    const reports = async (): Promise<number[]> => {
      const counts = await Promise.all(
        ids.map(async (id) => (await refusals(store, id)).length + (await refusedRows(store, id)).length),
      );
      return ids.filter((_id, index) => counts[index] !== 0);
    };
    await expect.poll(reports).toEqual(ids.slice(3));
  });

  it('ends the file of refused rows with an error if the report is removed while it is read', async () => {
    const repository = store.app.get(ImportsRepository, { strict: false });
    const { unitOfWork } = store.app.get(Database, { strict: false });
    const { id } = await imported(store, { kind: 'products', source: 'removed' }, MIXED);
    await unitOfWork.run(() =>
      run(sql`INSERT INTO import_refused_rows (import_id, number, text) VALUES (${id}, 2, 'more')`),
    );
    const whole = await refusedRows(store, id);
    const parts = repository.refusedRows(id);
    expect(whole).toBe(`${(await parts.next()).value}more`);
    await unitOfWork.run(() => run(sql`DELETE FROM import_refused_rows WHERE import_id = ${id}`));
    await expect(parts.next()).rejects.toThrow(`The refused rows of the import ${id} were removed`);
    expect(await refusedRows(store, id)).toBe('');
  });

  it('keeps the stored values of the members that a file does not have', async () => {
    const wanted = { kind: 'products', source: 'kept' };
    await imported(store, wanted, 'id,name,price,description,stock\nk,Kept,1,Whole,5\n');
    expect(await imported(store, wanted, 'id,name,price\nk,Kept,2\n')).toMatchObject({ updated: 1 });
    expect(await imported(store, wanted, 'id,name,price\nk,Kept,2\n')).toMatchObject({ unchanged: 1 });
    const { body } = await store.call('GET', '/api/v2/products?limit=100');
    const kept = body.data.find((each: { name: string }) => each.name === 'Kept');
    expect(kept).toMatchObject({ price: { amount: 200 }, description: 'Whole', in_stock: true });
    const stock = await store.call('GET', `/api/v2/products/${kept.id}/stock`);
    expect(stock.body.quantity).toBe(5);
  });

  it('refuses a text that a conversion makes too long, even if the next conversion would shorten it', async () => {
    const grown = { column: 'b', convert: [{ replace: 'x', with: ' '.repeat(200) }, 'trim'] };
    const found = await imported(
      store,
      { kind: 'products', mapping: mapped({ name: grown, price: { ...grown, column: 'c' } }) },
      `a,b,c\n1,Tea${'x'.repeat(5_000)},1\n2,Coffee,2${'x'.repeat(49)}\n3,Cocoa,3${'x'.repeat(50)}\n`,
    );
    expect(found).toMatchObject({ state: 'done', created: 1, refused: 2 });
    const told = await refusals(store, found.id);
    const reason = 'must have at most 10000 characters before and after each conversion';
    expect(told).toMatchObject([
      { line: 2, column: 'b', detail: reason },
      { line: 4, column: 'c', detail: reason },
    ]);
    expect(told.map(({ value }) => value)).toEqual([`Tea${' '.repeat(197)}`, `3${' '.repeat(199)}`]);
  });

  it.each([
    ['an object', { toString: 1 }],
    ['a list', [100]],
  ])('refuses an amount that is %s', async (_what, amount) => {
    const row = { id: 'odd', name: 'Tea', price: { amount, currency: 'USD' } };
    const wanted = { kind: 'products', format: 'ndjson', source: 'odd' };
    const found = await imported(store, wanted, JSON.stringify(row));
    expect(found).toMatchObject({ state: 'done', refused: 1 });
    expect(await refusals(store, found.id)).toMatchObject([
      { column: 'price.amount', detail: 'must be a whole number of minor units' },
    ]);
  });

  it('refuses lines of an order whose JSON is nested too deep', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const file = `id,user_id,items\ndeep,,"[{""product_id"":${deep}}]"\n`;
    const found = await imported(store, { kind: 'orders', source: 'deep' }, file);
    expect(found).toMatchObject({ state: 'done', refused: 1 });
    const [{ column, detail }] = await refusals(store, found.id);
    expect([column, detail]).toEqual([
      'items',
      expect.stringContaining('must not be nested deeper than 32 levels'),
    ]);
  });

  it('refuses a row that refers to another row by an id that is too long', async () => {
    const long = 'u'.repeat(201);
    const item = { product_id: null, name: 'Tea', quantity: 1, unit_price: 1 };
    const orders = [
      { id: 'long-user', user_id: long, items: [item] },
      { id: 'long-product', user_id: null, items: [{ ...item, product_id: long }] },
      { id: 'good', user_id: null, items: [item] },
    ];
    const rows = orders.map((order) => JSON.stringify(order)).join('\n');
    const mapping = JSON.stringify({
      source: 'long',
      fields: { id: 'id', user_id: { column: 'user_id', required: false } },
      items: {
        list: 'items',
        fields: {
          product_id: { column: 'product_id', required: false },
          name: 'name',
          quantity: 'quantity',
          unit_price: 'unit_price',
        },
      },
    });
    const found = await imported(store, { kind: 'orders', format: 'ndjson', mapping }, rows);
    expect(found).toMatchObject({ state: 'done', created: 1, refused: 2 });
    expect(await refusals(store, found.id)).toMatchObject([
      { line: 1, column: 'user_id', value: 'u'.repeat(200), code: 'fault' },
      { line: 2, column: 'items[0].product_id', value: 'u'.repeat(200), code: 'fault' },
    ]);
  });

  it('refuses an order with too many lines, and counts all its lines', onlyLong, async () => {
    const file = `order,user,product\n${linesOf('many', 20_000)}${linesOf('most', 100)}`;
    const found = await imported(store, { kind: 'orders', order_lines: true, mapping: LINES }, file);
    expect(found).toMatchObject({ state: 'done', created: 1, order_items: 20_100 });
    const [first] = await refusals(store, found.id);
    expect(first).toMatchObject({ line: 2, detail: 'must have from 1 to 100 lines, but has 20000' });
  });

  it('reports one fault for a list of too many lines, and not one for each line', async () => {
    const order = { id: 'x', user_id: null, items: Array.from({ length: 5_000 }, () => ({})) };
    const wanted = { kind: 'orders', format: 'ndjson', source: 'bounds' };
    const found = await imported(store, wanted, JSON.stringify(order));
    expect(found).toMatchObject({ state: 'done', refused: 1, order_items: 5_000 });
    const details = (await refusals(store, found.id)).map(({ detail }) => detail);
    expect(details).toEqual(['must have from 1 to 100 lines, but has 5000']);
  });

  it('refuses, in batches, rows with the id of an accepted row and other values, but not a copy of this row', async () => {
    const others = Array.from({ length: 1_050 }, (_, index) => `one,Other ${index},1\n`).join('');
    const file = `id,name,price\none,First,1\none,First,1\n${others}`;
    const found = await imported(store, { kind: 'products', source: 'rivals' }, file);
    expect(found).toMatchObject({ state: 'done', created: 1, repeated: 1, refused: 1_050, rows_done: 1_051 });
    // Each batch raises the version. There is a batch with the accepted row, and 11 with up to 100 refused rows each.
    expect(await versionOf(store, found.id)).toBeLessThan(40);
    const [first, second] = await refusals(store, found.id);
    expect([first, second]).toMatchObject([
      { line: 4, code: 'fault', detail: 'is already in line 2, with other values' },
      { line: 5, code: 'consequence' },
    ]);
    const rows = (await refusedRows(store, found.id)).trim().split('\n');
    expect(rows).toHaveLength(1_051);
    expect(rows[1]).toContain('Other 0');
  });

  it('can be cancelled before its file is complete, and then accepts no more parts', async () => {
    const { body } = await store.call('POST', IMPORTS, { body: { kind: 'products', format: 'csv' } });
    await addPart(store, body.id, { number: 1, text: GOOD });
    const cancelled = await store.call('DELETE', `${IMPORTS}/${body.id}`);
    expect(cancelled.body).toMatchObject({ state: 'cancelled', problem: null });
    expect((await store.call('DELETE', `${IMPORTS}/${body.id}`)).body).toEqual(cancelled.body);
    expect((await addPart(store, body.id, { number: 2, text: 'x', last: true })).status).toBe(409);
    expect((await read(store, body.id)).state).toBe('cancelled');
  });

  it('shows a caller only its own imports', async () => {
    const [one, other] = [
      await createKey(store, ['products:write']),
      await createKey(store, ['products:write']),
    ];
    const { id } = await send(store, { kind: 'products', source: 'own' }, GOOD, { key: one });
    await ended(store, id);
    const paths = ['', '/refusals', '/refused-rows'].map((end) => `${IMPORTS}/${id}${end}`);
    for (const path of paths) {
      expect((await store.call('GET', path, { key: one })).status).toBe(200);
      expect((await store.call('GET', path, { key: other })).status).toBe(404);
    }
    expect((await store.call('DELETE', `${IMPORTS}/${id}`, { key: other })).status).toBe(404);
    expect((await addPart(store, id, { number: 1, text: 'x' }, { key: other })).status).toBe(404);
    expect((await store.call('GET', IMPORTS, { key: other })).body.data).toEqual([]);
    const own = (await store.call('GET', IMPORTS, { key: one })).body.data;
    expect(own.map((each: { id: number }) => each.id)).toEqual([id]);
  });

  it('needs the scope to create the rows', async () => {
    const key = await createKey(store, ['products:write']);
    const { status, body } = await store.call('POST', IMPORTS, {
      key,
      body: { kind: 'users', format: 'csv' },
    });
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.detail).toContain('users:write');
  });

  it('refuses a token without the scope to create the rows, even if the same client made the import', async () => {
    const made = await store.call('POST', '/api/v1/clients', {
      body: {
        name: 'Loader',
        grant_types: ['client_credentials'],
        scopes: ['products:write', 'users:write'],
      },
    });
    const { client_id: id, client_secret: secret } = made.body;
    const tokenWith = async (scope: string) => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', scope });
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
      const answer = await fetch(`${store.url}/oauth/token`, {
        method: 'POST',
        body,
        headers: { authorization },
      });
      return ((await answer.json()) as { access_token: string }).access_token;
    };
    const [whole, narrow] = [
      await tokenWith('products:write users:write'),
      await tokenWith('products:write'),
    ];
    const { body, status } = await store.call('POST', IMPORTS, {
      ...asked(whole),
      body: { kind: 'users', format: 'csv' },
    });
    expect(status).toBe(201);
    const path = `${IMPORTS}/${body.id}`;
    expect((await store.call('GET', path, asked(whole))).status).toBe(200);
    const part = { number: 1, text: 'name,email\n', last: true };
    for (const [method, at, sent] of [
      ['GET', path, undefined],
      ['GET', `${path}/refusals`, undefined],
      ['GET', `${path}/refused-rows`, undefined],
      ['POST', `${path}/parts`, part],
      ['DELETE', path, undefined],
    ] as const) {
      const refused = await store.call(method, at, { ...asked(narrow), ...(sent && { body: sent }) });
      expect([method, at, refused.status, refused.body.code]).toEqual([method, at, 403, 'FORBIDDEN']);
    }
  });

  it('writes events only if the import asks for them', async () => {
    const cursor = async () => (await store.call('GET', '/api/v2/orders/summary')).body.cursor;
    const before = await cursor();
    await imported(store, { kind: 'products', source: 'silent' }, GOOD);
    expect(await cursor()).toBe(before);
    await imported(store, { kind: 'products', source: 'loud', events: true }, GOOD);
    await expect.poll(cursor, { timeout: 20_000 }).toBe(String(Number(before) + 2));
  });
});
