import { vi } from 'vitest';
import type { Service } from '../../../testkit/process.js';

/** The key of an administrator, for services in processes of their own. */
export const KEY = 'k'.repeat(32);

// oxlint-disable-next-line typescript/no-explicit-any -- the quick tests compare the answers with the contract
type Json = any;

/** An import of products. The service runs in a process of its own, and a test may restart it during the import. */
export class ImportJob {
  private constructor(readonly id: number) {}

  /**
   * Begins an import, and sends its file.
   *
   * @param count the number of rows in the file. Each tenth row is refused
   * @param most the maximum of characters in a part
   */
  static async begin(service: Service, count: number, most: number): Promise<ImportJob> {
    const { id } = await ask(service, 'POST', '/api/v2/imports', { kind: 'products', format: 'csv' });
    const file = fileOf(count);
    for (let number = 1; (number - 1) * most < file.length; number += 1) {
      const text = file.slice((number - 1) * most, number * most);
      const last = number * most >= file.length;
      await ask(service, 'POST', `/api/v2/imports/${id}/parts`, { number, text, last });
    }
    return new ImportJob(id as number);
  }

  progress(service: Service): Promise<Json> {
    return ask(service, 'GET', `/api/v2/imports/${this.id}`);
  }

  /** Waits until the import has ended. */
  async end(
    service: Service,
    patience: { readonly timeout: number; readonly interval: number },
  ): Promise<void> {
    await vi.waitUntil(async () => (await this.progress(service)).ended_at !== null, patience);
  }
}

async function ask({ url }: Service, method: string, path: string, body?: object): Promise<Json> {
  const answer = await fetch(url + path, {
    method,
    headers: { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer.json();
}

function fileOf(count: number): string {
  const rows = Array.from({ length: count }, (_, index) =>
    index % 10 === 0 ? `p${index},Product ${index},none` : `p${index},Product ${index},${index % 100}.50`,
  );
  return `id,name,price\n${rows.join('\n')}\n`;
}
