import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { filledPath, GoodRequests } from '../../testkit/contract/good-requests.js';
import type { Schema } from '../../testkit/contract/model.js';
import { bodyOf } from '../../testkit/contract/relations.js';
import { flat, isValid } from '../../testkit/contract/schemas.js';
import { VIEWS } from '../../src/generated/views.js';
import { describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';
import { RELATED_OPERATIONS, relatedOperation } from '../support/clients/requests.js';
import { SHOWN_PAGES } from '../support/fixtures/pages.js';

/**
 * A text that tries to break out of every part of a page that could contain it: text, attributes, elements, scripts,
 * addresses.
 */
const ATTACK =
  '\'"`--></title></textarea></script></bdi></option><x-mark></x-mark><svg onload=alert(1)><img src=/x-mark onerror=alert(1)>{{content}}$&';
const SCRIPT_ADDRESS = 'javascript:alert(1)//';
const ATTACKS = [ATTACK, SCRIPT_ADDRESS];
/** A member whose text is YAML. An attack is not YAML, so the service refuses it and never stores it. */
const MAPPING = 'mapping';

/**
 * The traces of the attack on a page. In texts, in values of fields and in the query of a link, the attack is harmless
 * and leaves no trace.
 */
const TRACES = `[...document.querySelectorAll('*')].flatMap((each) => [
  ...(each.localName === 'x-mark' || (each.localName === 'script' && !each.src) ? [each.outerHTML] : []),
  ...[...each.attributes].filter(({ name, value }) =>
    /^on/i.test(name) || (/^(href|src|action|formaction|data|srcdoc)$/i.test(name) && /javascript:|x-mark/i.test(value.split('?')[0])),
  ).map(({ name, value }) => each.localName + ' ' + name + '=' + value),
])`;

/**
 * Opens a form, and writes the attack into all of its fields, even into fields that accept no text. It removes the
 * checks of the browser first.
 */
const FILL = `(form, text) => {
  form.closest('details').open = true;
  for (const control of form.elements) {
    for (const name of ['pattern', 'data-longest', 'min', 'max', 'required', 'data-most']) control.removeAttribute(name);
    if (control.matches('input[type=checkbox]')) control.checked = true;
    else if (control.matches('input')) Object.assign(control, { type: 'text', value: text });
    else if (control.matches('textarea')) control.value = text;
    else if (control.matches('select')) control.selectedIndex = control.options.length - 1;
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }
}`;

/** The traces of the attack on a page, and the entries on the console. */
const tracesOn = async (page: Page, faults: readonly string[]): Promise<readonly string[]> => [
  ...(await page.evaluate<string[]>(TRACES)),
  ...unexpected(faults),
];

/**
 * Chromium reports a refused request on the console. Every other entry is a violated policy, or a script that failed.
 */
const unexpected = (faults: readonly string[]) => faults.filter((fault) => !/status of 4\d\d/.test(fault));

describeInBrowser('a text with HTML and scripts', () => {
  let browsing: Browsing;
  let requests: GoodRequests;
  beforeAll(async () => {
    browsing = await startBrowsing({ STORE_RATE_LIMIT: 'off' });
    const send = async (method: string, path: string, body: unknown) => {
      const answer = await browsing.call(method, path, body);
      if (!answer.ok) throw new Error(`${method} ${path} is refused: ${await answer.text()}`);
      return answer.status === 204 ? null : answer.json();
    };
    requests = new GoodRequests(PRESENT, send, async (entity) => (await attacked(entity, 0)).id);
    for (const entity of ENTITIES) for (const index of ATTACKS.keys()) await attacked(entity, index);
  });
  afterAll(() => browsing.close());

  /** Makes a row. Each of its texts that the contract does not restrict is an attack. */
  const attacked = (entity: string, index: number) => {
    const maker = requests.makerOf(entity);
    const members = Object.entries(flat(bodyOf(maker) ?? {}).properties ?? {});
    const given = members.flatMap(([name, member]) => {
      const value = attackOn(member, index);
      return name === MAPPING ||
        value === undefined ||
        Object.values(maker.uniques).some((names) => names.includes(name))
        ? []
        : [[name, value]];
    });
    return requests.make(entity, Object.fromEntries(given) as object);
  };

  const visit = async (path: string) => {
    const visited = await browsing.visitSignedIn(path);
    await settled(visited.page);
    return visited;
  };

  it('is stored as the name of a product', async () => {
    const answer = await browsing.call('GET', '/api/v2/products?limit=100');
    expect(await answer.text()).toContain(JSON.stringify(ATTACK).slice(1, -1));
  });

  it.each(SHOWN_PAGES)(
    'is only a text on the page $name, in its filters and in its forms',
    async ({ path }) => {
      const operation = typeof path === 'string' ? null : relatedOperation(path.operation);
      const address =
        operation === null
          ? (path as string)
          : filledPath(operation.path, await requests.pathValues(operation));
      const { page, faults } = await visit(address);
      await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true })');
      expect(await tracesOn(page, faults)).toEqual([]);
      const filters = operation === null ? [] : (VIEWS[operation.id as keyof typeof VIEWS]?.filters ?? []);
      for (const text of filters.length > 0 ? ATTACKS : []) {
        const query = new URLSearchParams(filters.map(({ name }): [string, string] => [name, text]));
        await page.goto(`${browsing.url}${address}?${query.toString()}`);
        await settled(page);
        expect(await tracesOn(page, faults)).toEqual([]);
      }
      const ids = await page
        .locator('.action-form')
        .evaluateAll((each: { dataset: Record<string, string> }[]) =>
          each.map(({ dataset }) => dataset['operation']),
        );
      for (const id of ids) {
        await page.goto(browsing.url + address);
        await settled(page);
        const form = page.locator(`[data-operation="${id}"] form`);
        if ((await form.count()) === 0) continue;
        await page.evaluate(
          `(${FILL})(document.querySelector('[data-operation="${id}"] form'), ${JSON.stringify(ATTACK)})`,
        );
        await form.locator('button:visible').last().click();
        // The page asks before a deletion. The question names the row.
        await settled(page);
        expect(await tracesOn(page, faults)).toEqual([]);
      }
    },
  );

  it('is only a text on the page of the sign-in, and on the error pages of the authorization server', async () => {
    const attack = encodeURIComponent(ATTACK);
    const { page, faults } = await browsing.visit(
      `/sign-in?return_to=${attack}&state=${attack}&error=${attack}&error_description=${attack}`,
    );
    await page.getByRole('alert').filter({ hasText: 'not begun in this tab' }).waitFor();
    expect(await tracesOn(page, faults)).toEqual([]);
    for (const query of [`client_id=${attack}`, `client_id=pages&redirect_uri=${attack}&state=${attack}`]) {
      await page.goto(`${browsing.url}/oauth/auth?response_type=code&${query}`);
      await page.getByRole('alert').waitFor();
      expect(await tracesOn(page, faults)).toEqual([]);
    }
  });

  it('is only a text on the page of imports, in the name, the columns and the rows of a file', async () => {
    const { page, faults } = await visit('/imports');
    const cell = `"${ATTACK.replaceAll('"', '""')}"`;
    const buffer = Buffer.from(`name,price,${cell}\n${cell},${cell},${cell}\n`);
    await page
      .locator('#file')
      .setInputFiles({ name: `${ATTACK.replaceAll('/', '-')}.csv`, mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Check the file' }).waitFor();
    expect(await tracesOn(page, faults)).toEqual([]);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('Checked; nothing was written.').first().waitFor();
    expect(await tracesOn(page, faults)).toEqual([]);
  });
});

/** The operations of version 2. Version 1 shows fewer members. */
const PRESENT = RELATED_OPERATIONS.filter(({ path }) => path.startsWith('/api/v2'));
const ENTITIES = [...new Set(PRESENT.flatMap(({ makes }) => makes?.entity ?? []))];

/**
 * The attack with this index, or else the first attack that the member accepts; undefined if it accepts none. An
 * address has rules of its own, so it gets no attack.
 */
function attackOn(member: Schema, index: number): unknown {
  const free = flat(member);
  const isAddress = [free, free.items ? flat(free.items) : {}].some(({ format }) =>
    format?.startsWith('uri'),
  );
  // A password (`writeOnly`) gets no attack, because the service refuses a password that equals the name of the user.
  if (
    isAddress ||
    free.enum !== undefined ||
    free.readOnly === true ||
    ('writeOnly' in free && free.writeOnly === true)
  )
    return undefined;
  return [ATTACKS[index], ...ATTACKS].find((text) => isValid(member, text));
}

async function settled(page: Page): Promise<void> {
  await page.locator('main:not([aria-busy]), #reference .opblock').first().waitFor();
  await page.waitForLoadState('networkidle');
}
