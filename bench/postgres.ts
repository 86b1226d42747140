import { ask } from '../testkit/databases.ts';
import { productAt, userAt } from './data.ts';
import { SMALLEST_STORE } from './requests.ts';

/**
 * Creates the users and products of the smallest store (see `SMALLEST_STORE`), by requests to a running service. Their
 * ids are the same as in the other databases.
 *
 * @param orders the number of orders in the other databases; the first new order gets the next id
 */
export async function seedPostgres(url: string, port: number, key: string, orders: number): Promise<void> {
  const call = async (method: string, path: string, body?: object): Promise<{ id: number }> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (response.status === 204 ? {} : await response.json()) as { id: number };
  };
  for (let index = 0; index < SMALLEST_STORE / 10; index += 1) {
    const { name, email } = userAt(index);
    await call('POST', '/users', { name, email });
  }
  for (let index = 0; index < SMALLEST_STORE;) {
    const { id, name, priceMinor, inStock } = productAt(index);
    const created = await call('POST', '/products', { name, price: priceMinor / 100, in_stock: inStock });
    if (created.id === id) index += 1;
    else if (created.id < id) await call('DELETE', `/products/${created.id}`);
    else throw new Error(`The product ${id} got the id ${created.id}`);
  }
  await ask(url, `SELECT setval(pg_get_serial_sequence('orders', 'id'), ${orders})`);
}
