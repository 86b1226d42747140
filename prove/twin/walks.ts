import type { Reading } from './compare.ts';
import type { FormatsReader } from './formats.ts';
import { LIST_FORMATS, requireSameLists, rowsOf, type ListReading, type Lists } from './lists.ts';
import type { Model } from './model.ts';
import type { Kind } from './shapes.ts';

const EXPORTS: Readonly<Record<Kind, string>> = {
  product: 'exportProducts',
  user: 'exportUsers',
  order: 'exportOrders',
};
const LIMIT = 37;

type Page = (page: number, cursor: string | null) => Promise<ListReading>;

/** Whole lists by pages, by cursors and as exports. @returns how many rows were walked over */
export async function walkAll(lists: Lists, formats: FormatsReader, model: Model): Promise<number> {
  let count = 0;
  for (const kind of ['product', 'user', 'order'] as const) {
    const ids = [...model.rows(kind).keys()].toSorted((one, other) => one - other);
    const rows = ids.map((id): Reading => ({ way: 'the model', shown: model.shown(kind, id) }));
    const asked =
      kind === 'user' ? { rest: {}, graphql: '' } : { rest: { sort: 'id' }, graphql: 'sort: [ID_ASC]' };
    const at = (page: number, cursor: string | null) => ({ limit: LIMIT, page, cursor });
    const pages: readonly (readonly [string, Page])[] = [
      ...LIST_FORMATS.map((format): readonly [string, Page] => [
        `pages of version 1 as ${format}`,
        (page, cursor) => lists.rest(kind, 'v1', format, asked, at(page, cursor)),
      ]),
      // CSV does not say where to go on.
      ...LIST_FORMATS.filter((format) => format !== 'csv').map((format): readonly [string, Page] => [
        `cursors of version 2 as ${format}`,
        (page, cursor) => lists.rest(kind, 'v2', format, asked, at(page, cursor)),
      ]),
      ['pages of GraphQL', (page, cursor) => lists.plain(kind, asked, at(page, cursor))],
      ['a connection of GraphQL', (page, cursor) => lists.connection(kind, asked, at(page, cursor))],
    ];
    const readings: ListReading[] = [{ way: 'the model', rows, total: rows.length }];
    for (const [way, page] of pages) readings.push(await walked(way, page));
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
  return count;
}

async function walked(way: string, read: Page): Promise<ListReading> {
  const rows: Reading[] = [];
  for (let page = 1, cursor: string | null = null; ; page++) {
    const found = await read(page, cursor);
    rows.push(...found.rows.map((row) => ({ ...row, way: `${way}, page ${page}` })));
    const isLast = found.next === undefined ? found.rows.length < LIMIT : found.next === null;
    if (isLast) return { way, rows, total: found.total };
    cursor = found.next ?? null;
  }
}
