import type { Reading } from './compare.ts';
import type { FormatsReader } from './formats.ts';
import { LIST_FORMATS, requireSameLists, rowsOf, type ListReading, type Lists } from './lists.ts';
import type { Model } from './model.ts';
import { ordersOf } from './searches.ts';
import type { Kind } from './shapes.ts';

const EXPORTS: Readonly<Record<Kind, string>> = {
  product: 'exportProducts',
  user: 'exportUsers',
  order: 'exportOrders',
};
const MOST = 37;

type Page = (page: number, cursor: string | null) => Promise<ListReading>;

/**
 * Reads whole lists by pages, by cursors and as exports. Also reads the first orders of each user.
 *
 * @returns the number of rows of the whole lists, counted once for each way of reading
 */
export async function walkAll(lists: Lists, formats: FormatsReader, model: Model): Promise<number> {
  let count = 0;
  for (const kind of ['product', 'user', 'order'] as const) {
    // There are at least three pages, if there are enough rows.
    const limit = Math.max(1, Math.min(MOST, Math.floor(model.rows(kind).size / 3)));
    const ids = [...model.rows(kind).keys()].toSorted((one, other) => one - other);
    const rows = ids.map((id): Reading => ({ way: 'the model', shown: model.shown(kind, id) }));
    const asked =
      kind === 'user' ? { rest: {}, graphql: '' } : { rest: { sort: 'id' }, graphql: 'sort: [ID_ASC]' };
    const at = (page: number, cursor: string | null, isBackward = false) => ({
      limit,
      page,
      cursor,
      isBackward,
    });
    const pages: readonly (readonly [string, Page])[] = [
      ...LIST_FORMATS.map((format): readonly [string, Page] => [
        `pages of version 1 as ${format}`,
        (page, cursor) => lists.rest(kind, 'v1', format, asked, at(page, cursor)),
      ]),
      ...LIST_FORMATS.map((format): readonly [string, Page] => [
        `cursors of version 2 as ${format}`,
        (page, cursor) => lists.rest(kind, 'v2', format, asked, at(page, cursor)),
      ]),
      ['pages of GraphQL', (page, cursor) => lists.plain(kind, asked, at(page, cursor))],
      ['a connection of GraphQL', (page, cursor) => lists.connection(kind, asked, at(page, cursor))],
    ];
    const readings: ListReading[] = [{ way: 'the model', rows, total: rows.length }];
    for (const [way, page] of pages) readings.push(await walked(way, limit, page));
    readings.push(
      await walkedBack('the cursors of version 2 backwards', (page, cursor) =>
        lists.rest(kind, 'v2', 'json', asked, at(page, cursor)),
      ),
      await walkedBack('a connection of GraphQL backwards', (page, cursor) =>
        lists.connection(kind, asked, at(page, cursor, true)),
      ),
    );
    for (const format of ['csv', 'ndjson'] as const) {
      for (const version of ['v1', 'v2'] as const) {
        const operation = EXPORTS[kind] + (version === 'v2' ? 'V2' : '');
        const { way, value } = await formats.read(operation, `/api/${version}/${kind}s/export`, format);
        readings.push({ way, rows: rowsOf(kind, version, way, value) });
      }
    }
    requireSameLists(`all ${kind}s`, readings);
    count += rows.length * (readings.length - 1);
  }
  for (const user of model.users.keys()) await requireOrdersOf(user, lists, model);
  return count;
}

/** The first page of the orders of a user must be the same as in the model. */
async function requireOrdersOf(user: number, lists: Lists, model: Model): Promise<void> {
  const { asked, rows } = ordersOf(model, user);
  const page = rows.slice(0, MOST).map((row): Reading => ({ way: 'the model', shown: row }));
  requireSameLists(`the orders of user ${user}`, [
    { way: 'the model', rows: page, total: rows.length },
    ...(await lists.first('order', asked, MOST)),
  ]);
}

async function walked(way: string, limit: number, read: Page): Promise<ListReading> {
  const rows: Reading[] = [];
  for (let page = 1, cursor: string | null = null; ; page++) {
    const found = await read(page, cursor);
    rows.push(...found.rows.map((row) => ({ ...row, way: `${way}, page ${page}` })));
    const isLast = found.next === undefined ? found.rows.length < limit : found.next === null;
    if (isLast) return { way, rows, total: found.total };
    cursor = found.next ?? null;
  }
}

/** Reads from the last page back to the first page. It first follows `next` to find the last page. */
async function walkedBack(way: string, read: Page): Promise<ListReading> {
  let found = await read(1, null);
  while (typeof found.next === 'string') found = await read(1, found.next);
  let { rows } = found;
  for (let cursor = found.previous; typeof cursor === 'string'; cursor = found.previous) {
    found = await read(1, cursor);
    rows = [...found.rows.map((row) => ({ ...row, way: `${way}, before ${cursor}` })), ...rows];
  }
  return { way, rows, total: found.total };
}
