import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';

const DOCS = new URL('../../../docs/', import.meta.url);

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a href="(\/[^"]*)"/g)].map(([, address]) => address as string);
}

describe('the guides as pages', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_RATE_LIMIT: 'anonymous=10000/min' });
  });
  afterAll(() => store.close());

  const get = (path: string) => fetch(store.url + path, { headers: { accept: 'text/html, */*;q=0.5' } });
  const pageOf = async (path: string) => (await get(path)).text();

  it('are all listed by the REST reference', async () => {
    const listed = new Set(linksOf(await pageOf('/docs')));
    for (const name of await readdir(new URL('guides/', DOCS))) {
      expect([...listed]).toContain(`/docs/guides/${name.replace('.md', '')}`);
    }
  });

  it('have only links to existing pages and existing headings', async () => {
    const todo = linksOf(await pageOf('/docs'));
    const pages = new Map<string, string | null>();
    const broken: string[] = [];
    while (todo.length > 0) {
      const link = todo.pop() as string;
      const { pathname, hash } = new URL(link, store.url);
      let html = pages.get(pathname);
      if (html === undefined) {
        const answer = await get(pathname);
        // The header links to lists that need a credential.
        html = [200, 401].includes(answer.status) ? await answer.text() : null;
        pages.set(pathname, html);
        if (html !== null && pathname.startsWith('/docs/')) todo.push(...linksOf(html));
      }
      if (html === null || (hash !== '' && !html.includes(`id="${hash.slice(1)}"`))) broken.push(link);
    }
    expect(broken).toEqual([]);
    // The guides link to the decisions.
    expect([...pages.keys()].filter((path) => path.startsWith('/docs/adr/')).length).toBeGreaterThan(5);
  });

  it('may load only our own style sheets and images', async () => {
    const answer = await get('/docs/guides/rest');
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'self'; img-src 'self'",
    );
    expect(await answer.text()).not.toMatch(/<script|<style| style=| on\w+=/);
    const again = await fetch(`${store.url}/docs/guides/rest`, {
      headers: { accept: 'text/html', 'if-none-match': answer.headers.get('etag') as string },
    });
    expect(again.status).toBe(304);
  });

  it.each([
    '/docs/none',
    '/docs/guides/none',
    '/docs/guides',
    '/docs/guides/..%2fadr',
    '/docs/a/b/c',
    `/docs/${'a'.repeat(300)}`,
    '/docs/Guides/REST',
  ])('do not exist at %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('/docs');
  });
});
