/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

/** HTML in which every value is text, unless it was made by this as well. */
export function html(strings: TemplateStringsArray, ...values: (string | Html | readonly Html[])[]): Html {
  return new Html(
    strings.reduce((text, string, index) => {
      const value = values[index - 1] as (typeof values)[number];
      return text + textOf(value) + string;
    }),
  );
}

/** A reader would take CR for the end of a line, and U+0000 has no way to be written. */
export function escapeHtml(text: string): string {
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
