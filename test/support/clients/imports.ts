import { expect } from 'vitest';
import type { Answer, Call, TestApp } from './app.js';

export type Import = any; // oxlint-disable-line typescript/no-explicit-any -- every answer was checked against the contract

export const PATIENCE = { timeout: 60_000, interval: 20 };

const IMPORTS = '/api/v2/imports';

/** Begins an import and sends its file, in parts of at most `most` characters. */
export async function send(
  store: TestApp,
  wanted: Record<string, unknown>,
  text: string,
  { key, most = 100_000 }: { key?: string; most?: number } = {},
): Promise<Import> {
  const as = key === undefined ? {} : { key };
  const created = await store.call('POST', IMPORTS, { ...as, body: { format: 'csv', ...wanted } });
  expect(created.status).toBe(201);
  const { id } = created.body;
  const count = Math.max(Math.ceil(text.length / most), 1);
  let stored: Answer = created;
  for (let number = 1; number <= count; number += 1) {
    const part = text.slice((number - 1) * most, number * most);
    stored = await addPart(store, id, { number, text: part, last: number === count }, as);
    expect(stored.status).toBe(200);
  }
  return stored.body;
}

export function addPart(store: TestApp, id: number, body: object, as: Call = {}): Promise<Answer> {
  return store.call('POST', `${IMPORTS}/${id}/parts`, { ...as, body });
}

export async function read(store: TestApp, id: number): Promise<Import> {
  return (await store.call('GET', `${IMPORTS}/${id}`)).body;
}

/** Waits for the end of an import. */
export async function ended(store: TestApp, id: number): Promise<Import> {
  await expect.poll(async () => (await read(store, id)).ended_at, PATIENCE).not.toBeNull();
  return read(store, id);
}

export async function imported(
  store: TestApp,
  wanted: Record<string, unknown>,
  text: string,
): Promise<Import> {
  const { id } = await send(store, wanted, text);
  return ended(store, id);
}

export async function refusals(store: TestApp, id: number): Promise<Import[]> {
  return (await store.call('GET', `${IMPORTS}/${id}/refusals?limit=100`)).body.data;
}

export async function refusedRows(store: TestApp, id: number): Promise<string> {
  return (await store.call('GET', `${IMPORTS}/${id}/refused-rows`)).text;
}
