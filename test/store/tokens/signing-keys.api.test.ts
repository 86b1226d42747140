import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { SigningKeys } from '../../../src/store/tokens/signing-keys.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';

const KEYS = '/api/v2/signing-keys';

interface Key {
  readonly id: number;
  readonly kid: string;
  readonly good_until: string | null;
}

describeOnEachEngine('the API of the signing keys', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const listed = async () => ((await store.call('GET', `${KEYS}?limit=100`)).body as { data: Key[] }).data;
  const published = async () => {
    const { body } = await store.call('GET', '/oauth/jwks', { key: null });
    return (body as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  };
  const rotated = async (seconds: number) => {
    const { status, body } = await store.call('POST', KEYS, { body: { overlap_seconds: seconds } });
    expect(status).toBe(201);
    return body as Key;
  };

  it('rotates the keys: the earlier key stays published for the overlap', async () => {
    const [before] = await published();
    const made = await rotated(3600);
    expect(made.good_until).toBeNull();
    expect(await published()).toEqual([made.kid, before]);
    const earlier = (await listed()).find(({ kid }) => kid === before);
    const leftMs = Date.parse(earlier?.good_until ?? '') - Date.now();
    expect(leftMs).toBeGreaterThan(3_500_000);
    expect(leftMs).toBeLessThanOrEqual(3_600_000);
    await rotated(0);
    expect(await published()).toHaveLength(1);
  });

  it('revokes a key at once, and makes a new key if the revoked key was the one that signs', async () => {
    const earlier = await rotated(3600);
    const present = await rotated(3600);
    const ended = await store.call('DELETE', `${KEYS}/${earlier.id}`);
    expect(Date.parse((ended.body as Key).good_until as string)).toBeLessThanOrEqual(Date.now());
    expect(await published()).not.toContain(earlier.kid);
    const again = await store.call('DELETE', `${KEYS}/${earlier.id}`);
    expect(again.body).toEqual(ended.body);

    await store.call('DELETE', `${KEYS}/${present.id}`);
    const [signs, ...others] = await published();
    expect([signs, ...others]).not.toContain(present.kid);
    expect((await listed()).filter(({ good_until }) => good_until === null).map(({ kid }) => kid)).toEqual([
      signs,
    ]);
  });

  it('never shows a private part', async () => {
    const { id } = await rotated(3600);
    const { body } = await store.call('GET', `${KEYS}/${id}`);
    expect(Object.keys(body as Key)).toEqual(['id', 'kid', 'created_at', 'good_until']);
    const page = await store.call('GET', KEYS, { headers: { accept: 'text/html' } });
    expect(page.text).not.toMatch(/private|version/i);
  });

  it('keeps the newest 100 keys', async () => {
    const keys = store.app.get(SigningKeys, { strict: false });
    const [first] = await listed();
    await store.app.get(Database, { strict: false }).unitOfWork.run(function* (tx) {
      for (let count = 0; count < 100; count++) yield* keys.next(tx, 3_600_000);
    });
    const made = await rotated(3600);
    expect(await published()).toHaveLength(100);
    expect((await published())[0]).toBe(made.kid);
    expect((await store.call('GET', `${KEYS}/${first?.id}`)).status).toBe(404);
  });
});
