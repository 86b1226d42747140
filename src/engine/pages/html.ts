/** Text that is already HTML. */
export class Html {
  constructor(readonly text: string) {}
}

/** Makes HTML. A value that is `Html`, or a list of `Html`, stays as it is. Every other value is escaped as text. */
export function html(strings: TemplateStringsArray, ...values: (string | Html | readonly Html[])[]): Html {
  let text = strings[0] as string;
  for (const [index, value] of values.entries()) text += textOf(value) + (strings[index + 1] as string);
  return new Html(text);
}

const SPECIAL = /[&<>"'\r\0]/;

/** Escapes text. A parser would treat CR as the end of a line, and HTML cannot contain U+0000. */
function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text;
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
