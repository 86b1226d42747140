import Builder, { type XmlBuilderOptions } from 'fast-xml-builder';
import type { Body } from '../../generated/bodies.js';
import { isObject, textOf, type Format } from './format.js';

const NIL = { '@xsi:nil': 'true' };
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** XML 1.0 cannot contain these characters, not even escaped. */
// oxlint-disable-next-line no-control-regex
const IMPOSSIBLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

// The types of the package do not have the option `entities`.
const OPTIONS: XmlBuilderOptions & { entities: readonly { regex: RegExp; val: string }[] } = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  entities: [
    { regex: /&/g, val: '&amp;' },
    { regex: /</g, val: '&lt;' },
    { regex: />/g, val: '&gt;' },
    { regex: /"/g, val: '&quot;' },
    // A parser would treat a carriage return as the end of a line.
    { regex: /\r/g, val: '&#13;' },
  ],
};
const builder = new Builder(OPTIONS);

/**
 * A member is an element. Each item of a list is an element inside the element of the list. Null is an empty element
 * with `xsi:nil`; an empty text is an empty element without `xsi:nil`. Absent members have no element.
 */
export const xml: Format = {
  name: 'xml',
  mediaType: 'application/xml',
  headers: {},
  compile: (body) => (value) => {
    const root = contentOf(value, body);
    const schema = { '@xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance' };
    return documentOf(
      body.name,
      typeof root === 'string' ? { ...schema, '#text': root } : { ...schema, ...root },
    );
  },
  // RFC 9457, appendix B.
  problem: {
    mediaType: 'application/problem+xml',
    encode: (problem) =>
      documentOf('problem', {
        '@xmlns': 'urn:ietf:rfc:7807',
        ...(contentOf(problem, { name: 'i' }) as object),
      }),
  },
};

function documentOf(name: string, root: object): string {
  return `${DECLARATION}${builder.build({ [name]: root })}\n`;
}

function contentOf(value: unknown, body: Body | undefined): string | Readonly<Record<string, unknown>> {
  if (value === null) return NIL;
  if (Array.isArray(value)) {
    if (value.length === 0) return '';
    const items: readonly unknown[] = value;
    return { [body?.items?.name ?? 'i']: items.map((item) => contentOf(item, body?.items)) };
  }
  if (!isObject(value)) return textOf(value).replaceAll(IMPOSSIBLE, '\uFFFD');
  const content: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (value[name] !== undefined) content[name] = contentOf(value[name], body?.members?.[name]);
  }
  return content;
}
