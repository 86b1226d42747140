export type Entries = Readonly<Record<string, string>>;

const decoded = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : decoded(value);
};

/**
 * The values that a browser without a script would send with a form of a page, if nobody changed them. Of
 * several checked boxes with the same name, only the last one is returned.
 */
export function entriesOf(page: string, operation: string): Record<string, string> {
  const form =
    new RegExp(`<details class="action-form[^>]*data-operation="${operation}"[\\s\\S]*?</details>`).exec(
      page,
    )?.[0] ?? '';
  const shown = form.replaceAll(/<template>[\s\S]*?<\/template>/g, '');
  const inputs = [...shown.matchAll(/<input[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => attribute(tag, 'type') !== 'checkbox' || /\schecked[\s>]/.test(tag))
    .map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']);
  const selects = [...shown.matchAll(/<select[^>]*name="([^"]+)"[\s\S]*?<\/select>/g)].map(
    ([tag, name = '']) => [name, /<option value="([^"]*)"\s+selected/.exec(tag)?.[1] ?? ''],
  );
  const texts = [...shown.matchAll(/(<textarea[^>]*>)([\s\S]*?)<\/textarea>/g)].map(
    ([, tag = '', text = '']) => [
      attribute(tag, 'name') ?? '',
      // A browser drops the first newline.
      decoded(text.replace(/^\n/, '')),
    ],
  );
  return Object.fromEntries([...inputs, ...selects, ...texts]) as Record<string, string>;
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
