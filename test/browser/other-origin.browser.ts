import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';

/** A script that opens a WebSocket and a stream, and returns whether each of them was opened. */
const tryIn = (url: string) => `(async () => {
  const socket = await new Promise((resolve) => {
    const opened = new WebSocket('${url.replace('http', 'ws')}/graphql', 'graphql-transport-ws');
    opened.onopen = () => (opened.close(), resolve('open'));
    opened.onerror = () => resolve('refused');
  });
  const stream = await new Promise((resolve) => {
    const query = encodeURIComponent('subscription { productChanged { id } }');
    const source = new EventSource('${url}/graphql/stream?query=' + query);
    source.onopen = () => (source.close(), resolve('open'));
    source.onerror = () => (source.close(), resolve('refused'));
  });
  return { socket, stream };
})()`;

describeInBrowser('a page of another origin', () => {
  let browsing: Browsing;
  let other: Server;
  let otherUrl: string;
  beforeAll(async () => {
    other = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Another site</title>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    browsing = await startBrowsing({ STORE_CORS_ORIGINS: otherUrl.replace('127.0.0.1', 'localhost') });
  });
  afterAll(async () => {
    await browsing.close();
    other.close();
  });

  const openedFrom = async (address: string) => {
    const { page, leave } = await browsing.visit('/');
    await page.goto(address);
    const found = await page.evaluate<{ socket: string; stream: string }>(tryIn(browsing.url));
    await leave();
    return found;
  };

  it('cannot open a WebSocket or a stream from another port', async () => {
    expect(await openedFrom(otherUrl)).toEqual({ socket: 'refused', stream: 'refused' });
  });

  it('can open a WebSocket and a stream when its origin is allowed', async () => {
    expect(await openedFrom(otherUrl.replace('127.0.0.1', 'localhost'))).toEqual({
      socket: 'open',
      stream: 'open',
    });
  });

  it('differs from a page of the service, which can open a WebSocket and a stream', async () => {
    expect(await openedFrom(`${browsing.url}/graphql`)).toEqual({ socket: 'open', stream: 'open' });
  });
});
