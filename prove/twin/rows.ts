import type { Reading } from './compare.ts';
import type { Doors } from './doors.ts';
import { FORMATS, type FormatsReader } from './formats.ts';
import { SELECTIONS, shown, type Kind, type Shown } from './shapes.ts';

const ADDRESSES: Readonly<Record<Kind, string>> = { product: 'products', user: 'users', order: 'orders' };
const OPERATIONS: Readonly<Record<Kind, string>> = {
  product: 'getProduct',
  user: 'getUser',
  order: 'getOrder',
};

/** The readings of one row through all doors, in all formats. */
export async function readRow(
  doors: Doors,
  formats: FormatsReader,
  kind: Kind,
  id: number,
): Promise<readonly Reading[]> {
  const ways = [
    graphql(doors, kind, id),
    ...(['v1', 'v2'] as const).flatMap((version) =>
      FORMATS.map(async (format): Promise<Reading> => {
        const operation = OPERATIONS[kind] + (version === 'v2' ? 'V2' : '');
        const target = `/api/${version}/${ADDRESSES[kind]}/${id}`;
        const { way, value, headers } = await formats.read(operation, target, format);
        if (value === undefined) return { way, shown: null };
        const row = kind === 'user' && version === 'v1' ? (value as { user: unknown }).user : value;
        return { way, shown: { ...shown(kind, version, row), version: versionIn(headers['etag']) } };
      }),
    ),
    ...(kind === 'user' ? [byShortAddress(formats, id)] : []),
    ...(kind === 'product'
      ? FORMATS.map(async (format): Promise<Reading> => {
          const { way, value } = await formats.read(
            'getProductStock',
            `/api/v1/products/${id}/stock`,
            format,
          );
          return { way, shown: value === undefined ? null : { stock: (value as Shown)['quantity'] } };
        })
      : []),
  ];
  return Promise.all(ways);
}

async function byShortAddress(formats: FormatsReader, id: number): Promise<Reading> {
  const { way, value, headers } = await formats.read('getUserByShortAddress', `/users/${id}`, 'json');
  if (value === undefined) return { way, shown: null };
  const row = (value as { user: unknown }).user;
  return { way, shown: { ...shown('user', 'v1', row), version: versionIn(headers['etag']) } };
}

async function graphql(doors: Doors, kind: Kind, id: number): Promise<Reading> {
  const query = `query($id: ID!) { it: ${kind}(id: $id) { ${SELECTIONS[kind]} } }`;
  const { data, errors } = await doors.ask({ query, variables: { id: String(id) } });
  if (errors || !data) throw new Error(`GraphQL cannot read: ${JSON.stringify(errors)}`);
  const row = data['it'];
  return { way: `GraphQL ${kind}(id: ${id})`, shown: row === null ? null : shown(kind, 'graphql', row) };
}

/** The version of the row. It is the same in both versions of the API and in GraphQL. */
function versionIn(tag: string | undefined): number | undefined {
  const version = /^"(\d+)-/.exec(tag ?? '')?.[1];
  return version === undefined ? undefined : Number(version);
}
