/** Text that is already HTML. */
export class Html {
  constructor(readonly text: string) {}
}

/** Makes HTML. Every value is escaped as text, unless it is `Html` itself. */
export function html(strings: TemplateStringsArray, ...values: (string | Html | readonly Html[])[]): Html {
  return new Html(
    strings.reduce((text, string, index) => {
      const value = values[index - 1] as (typeof values)[number];
      return text + textOf(value) + string;
    }),
  );
}

/** Escapes text. A parser would treat CR as the end of a line, and HTML cannot contain U+0000. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\0', '\uFFFD');
}

function textOf(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeHtml(value);
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
}
