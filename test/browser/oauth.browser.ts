import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as openid from 'openid-client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../testkit/free-port.js';
import { PASSWORD } from '../support/clients/basic.js';
import { seriousFaults } from '../support/clients/axe.js';
import { describeInBrowser, picture, startBrowsing, type Browsing } from '../support/clients/browser.js';
import { authorizationRequest } from '../support/clients/oauth.js';

const EMAIL = 'ada@example.com';

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const fillIn = async (page: Page, password = PASSWORD): Promise<void> => {
  await page.getByLabel('E-mail address').fill(EMAIL);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** Takes pictures of a page, and looks for faults of accessibility. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await seriousFaults(page)).toEqual([]);
    for (const [screen, width] of [
      ['wide', 1280],
      ['phone', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await picture(page, `oauth-${name}-${screen}-${colorScheme}`);
    }
  }
}

describeInBrowser('sign-in and consent', () => {
  let browsing: Browsing;
  let program: Server;
  let callback: string;
  let configuration: openid.Configuration;
  beforeAll(async () => {
    program = createServer((_request, response) => {
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><link rel="icon" href="data:," /><h1>Back</h1>');
    });
    callback = `http://127.0.0.1:${await listening(program)}/callback`;
    browsing = await startBrowsing({ PORT: String(await freePort()) });
    await browsing.call('POST', '/api/users', { name: 'Ada', email: EMAIL, password: PASSWORD });
    const made = await browsing.call('POST', '/api/clients', {
      name: 'Courier <app>',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [callback],
      scopes: ['orders:read', 'orders:write'],
    });
    const client = (await made.json()) as { client_id: string; client_secret: string };
    configuration = await openid.discovery(
      new URL(`${browsing.url}/oauth`),
      client.client_id,
      client.client_secret,
      undefined,
      { execute: [openid.allowInsecureRequests] },
    );
  });
  afterAll(async () => {
    await browsing.close();
    program.closeAllConnections();
    program.close();
  });

  const begin = async (options?: Parameters<Browsing['visit']>[1]) => {
    const request = await authorizationRequest(configuration, {
      redirect_uri: callback,
      scope: 'openid offline_access orders:read orders:write',
    });
    const visit = await browsing.visit(request.address.slice(browsing.url.length), options);
    return { ...visit, request };
  };

  // The redirect to the client is intended, so it is not a fault.
  const elsewhere = (faults: string[]) => faults.filter((fault) => !fault.startsWith(`asked ${callback}`));

  it('redirect a user to the program, with a valid code', async () => {
    const { page, faults, request } = await begin();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await look(page, 'sign-in');
    await fillIn(page, 'a wrong password');
    await page.getByRole('alert').waitFor();
    await look(page, 'sign-in-wrong');
    expect(await page.locator(':focus').getAttribute('name')).toBe('password');
    expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
    await fillIn(page);
    await page.getByRole('heading', { name: 'Allow Courier <app> access?' }).waitFor();
    await look(page, 'consent');
    const lines = await page.getByRole('listitem').allTextContents();
    expect(lines).toContain('See your orders');
    // This line refers to the lines before it, so it must be the last line.
    expect(lines.at(-1)).toMatch(/^Do all this also while you are away/);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    const tokens = await openid.authorizationCodeGrant(configuration, new URL(page.url()), {
      pkceCodeVerifier: request.verifier,
      expectedState: request.state,
    });
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await fetch(`${browsing.url}/api/orders`, { headers })).status).toBe(200);
    // A browser reports the 403 for a wrong password on its console.
    expect(elsewhere(faults).filter((fault) => !fault.includes('403'))).toEqual([]);

    await page.goto(`${browsing.url}/oauth/session/end`);
    await look(page, 'sign-out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
  });

  it('can be used with the keyboard alone, on a phone and without a script', async () => {
    const { page, faults } = await begin({
      javaScriptEnabled: false,
      viewport: { width: 320, height: 640 },
      colorScheme: 'dark',
    });
    // A key that is pressed before the page has the focus is lost.
    await page.locator('input[name=email]:focus').waitFor();
    await page.keyboard.type(EMAIL);
    await page.keyboard.press('Tab');
    await page.locator('input[name=password]:focus').waitFor();
    await page.keyboard.type(PASSWORD);
    await picture(page, 'oauth-sign-in-phone');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await picture(page, 'oauth-consent-phone');
    const { width } = (await page.getByRole('main').boundingBox()) as { width: number };
    expect(width).toBeLessThanOrEqual(320);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Back' }).waitFor();
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    expect(elsewhere(faults)).toEqual([]);
  });
});
