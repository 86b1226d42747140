import { expect, it } from 'vitest';
import { SECRET } from '../../support/clients/app.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';
import { serve } from '../../../testkit/process.js';

const KEY = 'k'.repeat(32);
const ROWS = 60_000;
const PATIENCE = { timeout: 240_000, interval: 50 };

type Json = any; // oxlint-disable-line typescript/no-explicit-any -- the quick tests compare the answers with the contract

async function ask(url: string, method: string, path: string, body?: object): Promise<Json> {
  const answer = await fetch(url + path, {
    method,
    headers: { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBeLessThan(300);
  return answer.json();
}

function fileOf(count: number): string {
  // Each tenth row is refused.
  const rows = Array.from({ length: count }, (_, index) =>
    index % 10 === 0 ? `p${index},Product ${index},none` : `p${index},Product ${index},${index % 100}.50`,
  );
  return `id,name,price\n${rows.join('\n')}\n`;
}

describeOnEachEngine('the service, killed again and again during an import,', (engine) => {
  it('continues the import: no row is left out or written twice, and the counts are right', async () => {
    const database = await freshDatabase(engine);
    const settings = { STORE_DATABASE_URL: database.url, STORE_ADMIN_KEY: KEY, STORE_SECRET: SECRET };
    try {
      let service = await serve(settings);
      const { id } = await ask(service.url, 'POST', '/api/v2/imports', { kind: 'products', format: 'csv' });
      const file = fileOf(ROWS);
      const most = 200_000;
      for (let number = 1; (number - 1) * most < file.length; number += 1) {
        const text = file.slice((number - 1) * most, number * most);
        const last = number * most >= file.length;
        await ask(service.url, 'POST', `/api/v2/imports/${id}/parts`, { number, text, last });
      }
      const progress = () => ask(service.url, 'GET', `/api/v2/imports/${id}`);
      let before = 0;
      for (let kill = 1; kill <= 2; kill += 1) {
        const from = before;
        await expect.poll(async () => (await progress()).rows_done, PATIENCE).toBeGreaterThan(from);
        await service.stop('SIGKILL');
        service = await serve(settings);
        before = (await progress()).rows_done;
        expect(before).toBeGreaterThan(from);
      }
      await expect.poll(async () => (await progress()).ended_at, PATIENCE).not.toBeNull();
      expect(await progress()).toMatchObject({
        state: 'done',
        read: ROWS,
        rows_done: ROWS * 0.9,
        created: ROWS * 0.9,
        updated: 0,
        unchanged: 0,
        refused: ROWS * 0.1,
      });
      const list = await fetch(`${service.url}/api/v1/products?limit=1&page=1`, {
        headers: { 'x-api-key': KEY },
      });
      expect(list.headers.get('x-total-count')).toBe(String(ROWS * 0.9));
      const names = await fetch(`${service.url}/api/v2/products/export?format=csv`, {
        headers: { 'x-api-key': KEY },
      });
      const rows = (await names.text()).trim().split('\n').slice(1);
      expect(new Set(rows.map((row) => /Product \d+/.exec(row)?.[0])).size).toBe(ROWS * 0.9);
      const refused = await fetch(`${service.url}/api/v2/imports/${id}/refused-rows`, {
        headers: { 'x-api-key': KEY },
      });
      expect((await refused.text()).trim().split('\n')).toHaveLength(ROWS * 0.1 + 1);
      await service.stop('SIGTERM');
    } finally {
      await database.drop();
    }
  }, 600_000);
});
