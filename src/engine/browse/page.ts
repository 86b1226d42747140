import {
  isObject,
  listIn,
  type PageMaker,
  type ProblemBody,
  type Site,
  type View,
} from '../formats/format.js';
import type { Body } from '../../generated/bodies.js';
import { VIEWS, type Browsable } from '../../generated/views.js';
import { OLD, SUCCESSOR } from '../http/versions.js';
import { html, Html } from '../pages/html.js';
import { PageLocation } from './addresses.js';
import { formOf, type ParameterFaults } from './filters.js';
import { formsOn } from './forms.js';
import { headOf, pagesOf } from './paging.js';
import { rightsOf } from './rights.js';
import { digestOf, pageOf, signInFor, type Parts } from './shell.js';
import { tailOn } from './tail.js';
import { contentOf, tableOf, type ShowContext } from './values.js';

const NOTHING = html``;

/** The page that shows the answer of an operation. */
function answerPage(value: unknown, body: Body, view: View): string {
  const { operation: id } = view;
  const location = new PageLocation(view.url, id, view.site?.version ?? OLD);
  const context: ShowContext = { location, currency: view.site?.currency };
  const browsable: Browsable = (id && VIEWS[id]) ?? {
    summary: body.name,
    title: body.name,
    rank: 0,
    formats: [],
    filters: [],
  };
  const isList = listIn(value) !== null;
  const title = titleOf(value, browsable, location);
  const content = html`<h1><bdi>${title}</bdi></h1>
    ${formsOn(location, value, view)} ${isList ? formOf(location, browsable) : NOTHING}
    ${isList ? tailOn(location) : NOTHING}
    ${isList ? pagesOf(location, browsable.filters, value, view) : NOTHING}
    <div class="answer" data-answer${SCROLLS}>${shownOf(value, body, context, browsable)}</div>
    ${formatsOf(location, browsable)} ${curlOf(location, view)}`;
  return pageIn(view, location, title, 200, content);
}

/** The page of a problem. If a credential might help, the page has a link to the sign-in. */
function problemPage(problem: ProblemBody, view: View): string {
  const location = new PageLocation(view.url, view.operation, view.site?.version ?? OLD);
  const context: ShowContext = { location, currency: undefined };
  const status = Number(problem['status']);
  const title = String(problem['title']);
  const browsable = location.operation && VIEWS[location.operation.id];
  const content = view.asksForCredential
    ? html`<h1>Sign in</h1>
        ${askFor(view)} ${browsable ? curlOf(location, view) : NOTHING}`
    : html`<h1><span class="status">${String(status)}</span> ${title}</h1>
        <p class="lead">
          ${String(problem['detail'])} <a href="${String(problem['type'])}">About this kind of problem</a>
        </p>
        ${status === 401 ? askFor(view) : NOTHING} ${status === 403 ? askForOther(view) : NOTHING}
        ${browsable && status === 400 ? formOf(location, browsable, faultsOf(problem)) : NOTHING}
        ${problemOf(problem, context)} ${browsable ? curlOf(location, view) : NOTHING}`;
  return pageIn(view, location, view.asksForCredential ? 'Sign in' : title, status, content);
}

/**
 * The name of the shown row, such as `Lighthouse mug`; otherwise the kind of the row or the list, such as `Order 3`,
 * `Products` or `Orders of user 7`.
 */
function titleOf(value: unknown, browsable: Browsable, { operation, owner }: PageLocation): string {
  const title =
    owner === null ? browsable.title : browsable.title.replace(/ of an? (\w+)$/, ` of $1 ${owner}`);
  const key = operation?.answer.key ?? null;
  const row = key !== null && isObject(value) ? value[key] : value;
  if (operation?.answer.shape !== 'entity' || !isObject(row)) return title;
  const { id, name } = row;
  if (typeof name === 'string' && name.trim() !== '') return name;
  return typeof id === 'number' ? `${title} ${id}` : title;
}

/** The first fault of each parameter. */
function faultsOf({ errors }: ProblemBody): ParameterFaults {
  const faults = new Map<string, string>();
  for (const { parameter, detail } of Array.isArray(errors) ? (errors as Record<string, unknown>[]) : []) {
    if (typeof parameter === 'string' && !faults.has(parameter)) faults.set(parameter, String(detail));
  }
  return faults;
}

/**
 * If the content is wider than the window, it scrolls inside its box. The box must be focusable, so that a user can
 * scroll it by the keyboard.
 */
const SCROLLS = new Html(' tabindex="0" role="region" aria-label="Answer"');
const PROBLEM: Body = { name: 'problem' };
function askFor({ url }: View): Html {
  return html`<p class="ask">
    This page needs a credential. <a href="${signInFor(url)}">Sign in</a> to see the data, or use the command
    below.
  </p>`;
}

function askForOther({ url }: View): Html {
  return html`<p class="ask">
    The present credential does not have this right. <a href="${signInFor(url)}">Sign in with another one</a>,
    or ask the person who runs the store.
  </p>`;
}

/**
 * The members of a problem. If the problem lists no faults, the text above the members already says everything. So the
 * members are closed at first.
 */
function problemOf(problem: ProblemBody, context: ShowContext): Html {
  const content = html`<div class="answer" data-answer${SCROLLS}>
    ${contentOf(problem, PROBLEM, context)}
  </div>`;
  if (Array.isArray(problem['errors'])) return content;
  return html`<details class="problem">
    <summary>All members of the problem</summary>
    ${content}
  </details>`;
}

/**
 * Shows the value of an answer to people. A list becomes a table, also if the list is inside an envelope. If the
 * operation can sort by a column, the head of this column is a link.
 */
function shownOf(value: unknown, body: Body, context: ShowContext, { filters }: Browsable): Html {
  const list = listIn(value);
  if (!list?.every(isObject)) return contentOf(value, body, context);
  const items = list === value ? body.items : body.members?.['data']?.items;
  const table = html`${tableOf(list, items, context, headOf(context.location, filters))}${
    list.length > 0 ? NOTHING : html`<p class="none">There is nothing on this page.</p>`
  }`;
  if (list === value) return table;
  const others = Object.entries(value as object).filter(([name]) => name !== 'data');
  return html`<dl class="envelope">
    <div>
      <dt>data</dt>
      <dd data-name="data">${table}</dd>
    </div>
    ${others.map(
      ([name, inner]) =>
        html`<div>
          <dt>${name}</dt>
          <dd data-name="${name}">${foldedOf(inner, body.members?.[name], context)}</dd>
        </div>`,
    )}
  </dl>`;
}

/**
 * The links above the table already show the content of the envelope. So the page shows only the names of the members
 * of each object, until the visitor opens the object.
 */
function foldedOf(value: unknown, body: Body | undefined, context: ShowContext): Html {
  const content = contentOf(value, body, context);
  if (!isObject(value)) return content;
  return html`<details>
    <summary>${Object.keys(value).join(', ')}</summary>
    ${content}
  </details>`;
}

function pageIn(view: View, location: PageLocation, title: string, status: number, content: Html): string {
  const crumbs = location.crumbs();
  return pageOf(view.site?.shell, {
    title: `${title} – ${location.path.length > 100 ? 'Store service' : location.path}`,
    status,
    ...listsOf(location),
    signIn: signInFor(view.url),
    crumbs: html`<ol>
      ${location.operation ? html`<li>${location.root || '/'}</li>` : NOTHING}${crumbs.map(
        ({ name, address }, index) =>
          address === null || index === crumbs.length - 1
            ? html`<li${index === crumbs.length - 1 ? html` aria-current="page"` : NOTHING}>${name}</li>`
            : html`<li><a href="${address}">${name}</a></li>`,
      )}
    </ol>`,
    content,
  });
}

/** The header of a page that shows no answer: the lists of the present version, and the link to the sign-in. */
export function headerFor(url: string): Lists & { readonly signIn: string } {
  return { ...listsOf(new PageLocation(url, undefined, SUCCESSOR)), signIn: signInFor(url) };
}

/** A page that belongs to another page of the API and shows no answer, such as a refused form. */
export function pageAt(
  location: PageLocation,
  site: Site,
  title: string,
  status: number,
  content: Html,
): string {
  const view = { url: location.path, site };
  return pageIn(
    view,
    location,
    title,
    status,
    html`<h1><bdi>${title}</bdi></h1>
      ${content}`,
  );
}

type Lists = Pick<Parts, 'lists' | 'administration'>;

/** Links to all lists. The lists for administrators are in a separate part. */
function listsOf(location: PageLocation): Lists {
  const { path } = location;
  const collections = location.collections();
  const links = (isForAdministrators: boolean): Html => {
    const shown = collections.filter((each) => each.isForAdministrators === isForAdministrators);
    return html`<ul>
      ${shown.map(
        ({ name, address, operation }) =>
          html`<li ${rightsOf(operation)}>
            <a href="${address}" ${address === path ? html` aria-current="page"` : NOTHING}>${name}</a>
          </li>`,
      )}
    </ul>`;
  };
  return { lists: links(false), administration: links(true) };
}

function formatsOf(location: PageLocation, { formats }: Browsable): Html {
  const others = formats.filter((name) => name !== 'html');
  if (others.length === 0) return NOTHING;
  const links = others.map(
    (name) =>
      html`<li><a href="${location.with({ format: name })}" data-format>${name.toUpperCase()}</a></li>`,
  );
  const files = location
    .exports()
    .map(
      ({ name, address }) => html`<li><a href="${address}" data-export>All as ${name.toUpperCase()}</a></li>`,
    );
  return html`<nav class="formats" aria-label="Other formats">
    <p>The same as</p>
    <ul>
      ${links}
    </ul>
    ${
      files.length === 0
        ? NOTHING
        : html`<p>In a file</p>
            <ul>
              ${files}
            </ul>`
    }
  </nav>`;
}

/** The command that shows the same data in a terminal, as JSON. It never contains a credential. */
function curlOf(location: PageLocation, { origin }: View): Html {
  const address = location.with({ format: null }).replaceAll("'", '%27');
  const credential = location.operation?.security.length ? ` -H 'X-API-Key: …'` : '';
  return html`<div class="curl">
    <pre><code id="curl">curl${credential} '${origin ?? ''}${address}'</code></pre>
    <button type="button" data-copy="curl" hidden>Copy</button>
  </div>`;
}

export const pageMaker: PageMaker = { answer: answerPage, problem: problemPage, digestOf };
