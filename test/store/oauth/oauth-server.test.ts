import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { AccessConfig } from '../../../src/engine/config/slices.js';
import { Unavailable } from '../../../src/engine/errors/errors.js';
import { MasterKey } from '../../../src/engine/secrets/master-key.js';
import { ArtifactsRepository } from '../../../src/store/oauth/artifacts.repository.js';
import { ClientsRepository } from '../../../src/store/oauth/clients.repository.js';
import { OAuthServer } from '../../../src/store/oauth/oauth-server.js';
import { Revocations } from '../../../src/store/tokens/revocations.js';
import { SigningKeys } from '../../../src/store/tokens/signing-keys.js';
import { UsersRepository } from '../../../src/store/users/users.repository.js';
import type { TestApp } from '../../support/clients/app.js';
import { startOAuth } from '../../support/clients/oauth.js';

/** A request that is never answered fails after this time. */
const ANSWER_MS = 20_000;

let store: TestApp;
beforeAll(async () => {
  store = await startOAuth('sqlite');
});
afterAll(() => store.close());

it('a provider that cannot be made is forgotten, and the provider that was made for newer keys is kept', async () => {
  const part = <T>(type: abstract new (...parts: never[]) => T): T => store.app.get(type, { strict: false });
  const [secret, keys] = [part(MasterKey), part(SigningKeys)];
  const server = new OAuthServer(
    part(AccessConfig),
    secret,
    keys,
    part(ArtifactsRepository),
    part(ClientsRepository),
    part(UsersRepository),
    part(Revocations),
  );
  const [older] = await keys.all();
  await store.call('POST', '/api/v2/signing-keys', { body: { overlap_seconds: 60 } });
  const newer = await keys.all();
  expect(newer).not.toEqual([older]);
  const failure = vi.spyOn(secret, 'key').mockImplementationOnce(() => {
    throw new Error('no key');
  });
  const all = vi.spyOn(keys, 'all');
  if (older) all.mockResolvedValueOnce([older]);
  onTestFinished(() => {
    failure.mockRestore();
    all.mockRestore();
  });
  const failing = server.provider();
  const made = server.provider();
  await expect(failing).rejects.toThrow('no key');
  const provider = await made;
  expect(await server.provider()).toBe(provider);
});

it('a request is answered even if the signing keys can no longer be read after the provider was made', async () => {
  const keys = store.app.get(SigningKeys, { strict: false });
  const all = vi
    .spyOn(keys, 'all')
    .mockResolvedValueOnce(await keys.all())
    .mockRejectedValueOnce(new Unavailable('The database does not answer.'));
  onTestFinished(() => all.mockRestore());
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(`${store.url}/oauth/session/end/success`, { signal });
  expect(answer.status).toBe(200);
});
