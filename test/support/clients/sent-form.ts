export type Entries = Readonly<Record<string, string>>;

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/**
 * The values that a browser without a script sends with an unchanged form of a page. Checkboxes and `textarea` elements
 * are left out.
 */
export function entriesOf(page: string, operation: string): Record<string, string> {
  const form =
    new RegExp(`<details class="action-form[^>]*data-operation="${operation}"[\\s\\S]*?</details>`).exec(
      page,
    )?.[0] ?? '';
  const inputs = [...form.replaceAll(/<template>[\s\S]*?<\/template>/g, '').matchAll(/<input[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => attribute(tag, 'type') !== 'checkbox')
    .map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']);
  const selects = [...form.matchAll(/<select[^>]*name="([^"]+)"[\s\S]*?<\/select>/g)].map(
    ([tag, name = '']) => [name, /<option value="([^"]*)"\s+selected/.exec(tag)?.[1] ?? ''],
  );
  return Object.fromEntries([...inputs, ...selects]) as Record<string, string>;
}

/** Sends a form as a browser without a script does. */
export function sendForm(
  url: string,
  path: string,
  entries: Entries | URLSearchParams | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/browse${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      accept: 'text/html',
      origin: url,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: typeof entries === 'string' ? entries : new URLSearchParams(entries).toString(),
  });
}
