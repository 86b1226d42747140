import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { all, run, sql } from '../../../src/engine/database/sql.js';
import { ArtifactsRepository } from '../../../src/store/oauth/artifacts.repository.js';
import { ExpiredArtifacts } from '../../../src/store/oauth/artifacts.purge.js';
import type { TestApp } from '../../support/clients/app.js';
import { createUserWithPassword } from '../../support/clients/basic.js';
import {
  aCodeClient,
  authorizationRequest,
  createClient,
  relyingParty,
  startOAuth,
  tokensOf,
  Visitor,
  type ClientBody,
  type Page,
} from '../../support/clients/oauth.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import type { UserBody } from '../../support/fixtures/fixtures.js';

/** Another tab of the same browser, which has the cookies of this moment. */
const tabOf = ({ store, cookies }: Visitor): Visitor => {
  const tab = new Visitor(store);
  for (const [name, cookie] of cookies) tab.cookies.set(name, cookie);
  return tab;
};

const signOut = async (visitor: Visitor): Promise<void> => {
  const page = await visitor.open('/oauth/session/end');
  expect((await visitor.submit(page, { logout: 'yes' })).text).toContain('<h1>Done</h1>');
};

const resultOf = ({ address }: Page): string => {
  const { searchParams } = new URL(address);
  return searchParams.get('error') ?? (searchParams.has('code') ? 'code' : address);
};

describeOnEachEngine('a sign-out', (engine) => {
  let store: TestApp;
  let client: ClientBody;
  beforeAll(async () => {
    store = await startOAuth(engine);
    client = await createClient(store, aCodeClient());
  });
  afterAll(() => store.close());

  const database = () => store.app.get(Database, { strict: false });
  const artifacts = () => store.app.get(ArtifactsRepository, { strict: false });
  const rowsOf = ({ id }: UserBody) =>
    database().unitOfWork.run(() =>
      all<{ payload: string }>(
        sql`SELECT payload FROM oauth_artifacts WHERE model = 'Session' AND user_id = ${id}`,
      ),
    );

  const request = async (overrides: Record<string, string> = {}) =>
    (await authorizationRequest(await relyingParty(store, client), overrides)).address;
  const renew = async (visitor: Visitor): Promise<Page> =>
    visitor.open(await request({ prompt: 'none', scope: 'openid orders:read' }));

  const signedIn = async (): Promise<{ visitor: Visitor; user: UserBody }> => {
    const user = await createUserWithPassword(store);
    const visitor = new Visitor(store);
    await tokensOf(store, client, user.email, {}, visitor);
    expect(resultOf(await renew(tabOf(visitor)))).toBe('code');
    return { visitor, user };
  };

  /** Does something while a request is about to store a code, after it has loaded its session. */
  const whileACodeIsIssued = (act: () => Promise<void>): void => {
    const keep = artifacts().store.bind(artifacts());
    let isDone = false;
    const spy = vi.spyOn(artifacts(), 'store').mockImplementation(async (...stored) => {
      if (stored[0] === 'AuthorizationCode' && !isDone) {
        isDone = true;
        await act();
      }
      return keep(...stored);
    });
    onTestFinished(() => {
      expect(isDone).toBe(true);
      spy.mockRestore();
    });
  };

  it('is not undone by a request of another tab that began before it', async () => {
    const { visitor } = await signedIn();
    const [before, late] = [tabOf(visitor), tabOf(visitor)];
    whileACodeIsIssued(() => signOut(visitor));
    expect(resultOf(await renew(late))).toBe('login_required');
    expect(resultOf(await renew(before))).toBe('login_required');
    expect(resultOf(await renew(late))).toBe('login_required');
  });

  it('is not undone by a consent that was sent before it', async () => {
    const { visitor } = await signedIn();
    const late = tabOf(visitor);
    const consent = await late.open(await request());
    whileACodeIsIssued(() => signOut(visitor));
    expect(resultOf(await late.submit(consent, { decision: 'allow' }))).toBe('login_required');
    expect(resultOf(await renew(late))).toBe('login_required');
  });

  it('ends the session also if another tab gives it a new identifier at the same time', async () => {
    const { visitor } = await signedIn();
    const other = tabOf(visitor);
    const consent = await other.open(await request());
    const end = artifacts().endSession.bind(artifacts());
    const spy = vi.spyOn(artifacts(), 'endSession').mockImplementationOnce(async (uid) => {
      expect(resultOf(await other.submit(consent, { decision: 'allow' }))).toBe('code');
      expect(resultOf(await renew(tabOf(other)))).toBe('code');
      await end(uid);
    });
    await signOut(visitor);
    spy.mockRestore();
    expect(resultOf(await renew(other))).toBe('login_required');
  });

  it('leaves nothing of the session but the mark that it has ended, until the session would have expired', async () => {
    const { visitor, user } = await signedIn();
    await signOut(visitor);
    expect((await rowsOf(user)).map(({ payload }) => payload)).toEqual(['']);
    const { purge } = store.app.get(ExpiredArtifacts, { strict: false });
    await purge.run();
    expect(await rowsOf(user)).toHaveLength(1);
    await database().unitOfWork.run(() =>
      run(sql`UPDATE oauth_artifacts SET expires_at = ${new Date(0)} WHERE user_id = ${user.id}`),
    );
    await purge.run();
    expect(await rowsOf(user)).toEqual([]);
  });

  it('can be sent twice at the same time', async () => {
    const { visitor } = await signedIn();
    const second = tabOf(visitor);
    const page = await visitor.open('/oauth/session/end');
    const end = artifacts().endSession.bind(artifacts());
    const spy = vi.spyOn(artifacts(), 'endSession').mockImplementationOnce(async (uid) => {
      expect((await second.submit(page, { logout: 'yes' })).text).toContain('<h1>Done</h1>');
      await end(uid);
    });
    expect((await visitor.submit(page, { logout: 'yes' })).text).toContain('<h1>Done</h1>');
    spy.mockRestore();
  });

  it('of the former identifier comes with a new sign-in, and requests that began before cannot bring it back', async () => {
    const { visitor, user } = await signedIn();
    const [before, late] = [tabOf(visitor), tabOf(visitor)];
    whileACodeIsIssued(async () => {
      const page = await visitor.open(await request({ prompt: 'login' }));
      expect(resultOf(await visitor.signIn(page, user.email))).toBe('code');
      // All tabs of a browser have the same cookies.
      for (const [name, cookie] of visitor.cookies) late.cookies.set(name, cookie);
    });
    expect(resultOf(await renew(late))).toBe('login_required');
    expect(resultOf(await renew(before))).toBe('login_required');
    // The late answer has not replaced the cookie of the new sign-in.
    expect(resultOf(await renew(late))).toBe('code');
    expect(resultOf(await renew(visitor))).toBe('code');
  });
});
