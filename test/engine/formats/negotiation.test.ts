import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('the format of an answer', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
    await store.call('POST', '/api/products', { body: { name: 'Chai', price: 18 } });
  });
  afterAll(() => store.close());

  const typeOf = async (path: string, accept?: string, method = 'GET', key?: null) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const answer = await store.call(method, path, { headers, ...(key === null && { key }) });
    return [answer.status, answer.headers.get('content-type')];
  };

  it.each([
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/xml', 'application/xml'],
    ['application/yaml', 'application/yaml'],
    ['text/csv', 'text/csv'],
    ['text/*', 'text/html'],
    [BROWSER, 'text/html'],
    ['application/xml;q=0.5, application/yaml;q=0.6', 'application/yaml'],
    ['application/json;q=0.1, */*;q=0.2', 'application/xml'],
    ['application/json;q=0, */*', 'application/xml'],
    ['application/json, text/plain, */*', 'application/json'],
    ['application/json; charset=utf-8, application/xml;q=0.5', 'application/json'],
    ['text/xml', 'application/xml'],
    ['text/yaml', 'application/yaml'],
    ['text/csv;q=0.5,Text/X-YAML', 'application/yaml'],
    ['text/csv;q=0.1, application/x-yaml;q=0.2', 'application/yaml'],
    ['text/xml;charset=utf-8;q=0.9, application/json;q=0.1', 'application/xml'],
    ['text/xml-other, text/csv;q=0.1', 'text/csv'],
  ])('for Accept: %s is %s', async (accept, type) => {
    expect(await typeOf('/api/v1/products', accept)).toEqual([200, `${type}; charset=utf-8`]);
  });

  it.each([
    ['json', 'application/json'],
    ['xml', 'application/xml'],
    ['yaml', 'application/yaml'],
    ['html', 'text/html'],
    ['csv', 'text/csv'],
  ])('is that of ?format=%s, even if Accept names another', async (format, type) => {
    for (const accept of ['image/png', 'application/xml', BROWSER]) {
      expect(await typeOf(`/api/v1/products?limit=5&format=${format}`, accept)).toEqual([
        200,
        `${type}; charset=utf-8`,
      ]);
    }
    expect(await typeOf(`/api/v1/products?%66ormat=${format}`)).toEqual([200, `${type}; charset=utf-8`]);
  });

  it.each([
    '/api/v1/products?format=pdf',
    '/api/v1/products?format=XML',
    '/api/v1/products?format=',
    '/api/v1/products?format=csv&format=csv',
    '/api/v1/products/1?format=csv',
    '/api/v1/products/1?format=constructor',
    '/health/live?format=csv',
  ])('is refused with 400 for %s', async (path) => {
    const { status, body } = await store.call('GET', path, { headers: { accept: 'application/json' } });
    expect([status, body?.errors?.[0]?.parameter]).toEqual([400, 'format']);
  });

  it('is refused with 406 if Accept allows no available format, and the answer names the available ones', async () => {
    const { status, body } = await store.call('GET', '/api/v1/products/1', {
      headers: { accept: 'text/csv' },
    });
    expect(status).toBe(406);
    for (const type of ['application/json', 'application/xml', 'application/yaml', 'text/html'])
      expect(body.detail).toContain(type);
    expect(body.detail).not.toContain('text/csv');
  });

  it('has its own entity tag, but If-Match accepts the tag of any format', async () => {
    const tags = new Set<string | null>();
    for (const format of ['json', 'xml', 'yaml', 'html']) {
      const path = `/api/v1/products/1?format=${format}`;
      const { headers } = await store.call('GET', path);
      const tag = headers.get('etag') as string;
      tags.add(tag);
      const again = await store.call('GET', path, { headers: { 'if-none-match': tag } });
      expect([again.status, again.headers.get('etag'), again.text]).toEqual([304, tag, '']);
      const other = await store.call('GET', '/api/v1/products/1', {
        headers: { 'if-none-match': tag, accept: 'application/xml' },
      });
      expect(other.status).toBe(format === 'xml' ? 304 : 200);
      expect(headers.get('vary')).toContain('Accept');
    }
    expect(tags.size).toBe(4);
    const [, , yaml] = tags;
    const changed = await store.call('PATCH', '/api/v1/products/1', {
      headers: { 'if-match': yaml as string },
      body: { price: 19 },
    });
    expect(changed.status).toBe(200);
  });

  it('is the same for HEAD, with the headers of GET', async () => {
    for (const format of ['json', 'xml', 'yaml', 'html', 'csv']) {
      const path = `/api/v1/products?format=${format}`;
      const [get, head] = [await store.call('GET', path), await store.call('HEAD', path)];
      for (const name of ['content-type', 'content-length', 'link', 'content-security-policy'])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  });

  const XML = 'application/problem+xml; charset=utf-8';
  const HTML = 'text/html; charset=utf-8';
  const JSON_ = 'application/problem+json; charset=utf-8';

  it.each([
    ['GET', '/api/v1/products/999999', 'application/xml', 404, XML],
    ['GET', '/api/v1/products/999999', 'application/problem+xml, application/json', 404, XML],
    ['GET', '/api/v1/products/999999', BROWSER, 404, HTML],
    ['GET', '/api/v1/products/999999', 'application/yaml', 404, JSON_],
    ['GET', '/api/v1/products/999999?format=xml', 'application/json', 404, XML],
    ['GET', '/api/v1/products?page=0', 'text/csv', 400, JSON_],
    ['GET', '/api/v1/products?page=0', BROWSER, 400, HTML],
    ['GET', '/api/v1/products', 'application/problem+xml', 406, XML],
    ['GET', '/nowhere', 'application/xml', 404, XML],
    ['GET', '/nowhere', BROWSER, 404, HTML],
    ['DELETE', '/api/v1/products', BROWSER, 405, HTML],
    ['GET', '/api/v1/products/%zz', 'application/xml', 400, XML],
  ])('to %s %s with Accept: %s and with the status %i is %s', async (method, path, accept, status, type) => {
    expect(await typeOf(path, accept, method)).toEqual([status, type]);
  });

  it('does not change the content of a problem, and no format shows a part of the request as markup', async () => {
    const path = '/nowhere/%3Cscript%3E&amp;';
    const say = async (accept: string) => (await store.call('GET', path, { headers: { accept } })).text;
    const page = await say('text/html');
    expect(page).toContain('<dd data-name="code"><bdi>NOT_FOUND</bdi></dd>');
    expect(page).not.toContain('<script>');
    const xml = await say('application/xml');
    expect(xml).toContain('<problem xmlns="urn:ietf:rfc:7807"><type>/problems/not-found</type>');
    expect(xml).not.toContain('<script');
    const refused = await store.call('GET', '/api/v1/products?page=0&limit=x', {
      headers: { accept: 'application/xml' },
    });
    expect(refused.text).toMatch(/<errors><i><parameter>page<\/parameter>.*<\/i><i>.*<\/i><\/errors>/);
  });
});
