import { html as markup, type Html } from '../pages/html.js';
import { POLICIES, SECURITY_HEADERS } from '../pages/security.js';
import { isObject, listIn, textOf, type Format } from './format.js';

/** A page for people: a list is a table, anything else a list of definitions. */
export const html: Format = {
  name: 'html',
  mediaType: 'text/html',
  headers: { ...SECURITY_HEADERS, 'content-security-policy': POLICIES.asset },
  compile:
    ({ name }) =>
    (value, { url }) => {
      const path = url.split('?', 1)[0] as string;
      return pageOf(path, markup`<h1>${name}</h1>${contentOf(value)}`);
    },
  problem: {
    mediaType: 'text/html',
    encode: (problem) =>
      pageOf(String(problem['title']), markup`<h1>${String(problem['title'])}</h1>${contentOf(problem)}`),
  },
};

function pageOf(title: string, body: Html): string {
  return markup`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body>${body}</body>
</html>
`.text;
}

function contentOf(value: unknown): Html {
  const list = listIn(value);
  if (list && list === value) return tableOf(list);
  if (!isObject(value)) return markup`${textOf(value)}`;
  const rows = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return markup`<dl>${rows.map(([name, inner]) => markup`<dt>${name}</dt><dd>${contentOf(inner)}</dd>`)}</dl>`;
}

function tableOf(list: readonly unknown[]): Html {
  if (!list.every(isObject))
    return markup`<ul>${list.map((item) => markup`<li>${contentOf(item)}</li>`)}</ul>`;
  const names = [...new Set(list.flatMap((item) => Object.keys(item)))];
  return markup`<table><thead><tr>${names.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead><tbody>${list.map(
    (item) => markup`<tr>${names.map((name) => markup`<td>${contentOf(item[name])}</td>`)}</tr>`,
  )}</tbody></table>`;
}
