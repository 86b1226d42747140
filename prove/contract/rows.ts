/** A row of the service, which a request can name. */
export interface Row {
  readonly id: number;
}

export type RowKind = 'product' | 'user' | 'order' | 'apiKey' | 'client' | 'identity';

/** The part of `World` that makes rows. */
interface Making {
  row(kind: RowKind, isFresh: boolean): Promise<Row>;
  post(path: string, body: object): Promise<Record<string, unknown>>;
  unique(): string;
}

/** The functions that make a row of each kind. */
export const MAKERS: Readonly<Record<RowKind, (world: Making, owner?: Row) => Promise<Row>>> = {
  product: async (world) => {
    const { id } = await world.post('/products', { name: 'Chai', price: 18.5 });
    return { id: Number(id) };
  },
  user: async (world) => {
    const email = `user${world.unique()}@proof.example`;
    const { user } = await world.post('/users', { name: 'Ben', email });
    return { id: (user as Row).id };
  },
  order: async (world, owner) => {
    const user_id = owner?.id ?? (await world.row('user', false)).id;
    const product_id = (await world.row('product', false)).id;
    const { id } = await world.post('/orders', { user_id, items: [{ product_id, quantity: 1 }] });
    return { id: Number(id) };
  },
  apiKey: async (world, owner) => {
    const { id } = await world.post('/api-keys', { name: 'Till', ...(owner && { user_id: owner.id }) });
    return { id: Number(id) };
  },
  client: async (world) => {
    const { id } = await world.post('/clients', { name: 'App', grant_types: ['client_credentials'] });
    return { id: Number(id) };
  },
  identity: async (world) => {
    const user_id = (await world.row('user', false)).id;
    const subject = `made ${world.unique()}`;
    const { id } = await world.post('/identities', { issuer: 'https://login.example', subject, user_id });
    return { id: Number(id) };
  },
};
