import { createHash } from 'node:crypto';
import { FORMS, type Field, type Form } from '../../generated/forms.js';
import { OPERATIONS, type Operation } from '../../generated/operations.js';
import { RELATIONS } from '../../generated/relations.js';
import type { Conflicts } from '../../rules/conflicts.js';
import { isObject, type Site, type View } from '../formats/format.js';
import { html, type Html } from '../pages/html.js';
import { snakeCase } from '../values/member-names.js';
import type { PageLocation } from './addresses.js';
import { fieldOf, type Sent } from './form-fields.js';
import { FORMS as SENT } from './filters.js';
import { isForUsers, rightsOf } from './rights.js';
import { signInFor } from './shell.js';

const NOTHING = html``;

/**
 * The forms of a page: everything that a caller could create, change or delete here. The page is the same for all
 * callers, so each form is hidden, and says which rights it needs. The script of the page (`pages/forms.ts`) shows the
 * forms that the session allows, and sends them. In a browser without a script, the styles show the forms for which the
 * password of a user is enough, and the browser sends them to `sent-forms.ts` (ADR 64).
 *
 * @param value the answer that the page shows; the row in the answer fills in the forms that change this row
 */
export function formsOn(location: PageLocation, value: unknown, { etag, total, site }: View): Html {
  const { operation } = location;
  const forms = operation ? (FORMS[operation.id] ?? []) : [];
  if (!operation || forms.length === 0) return NOTHING;
  const { key } = operation.answer;
  const inner = key !== null && isObject(value) ? value[key] : value;
  const row = isObject(inner) ? inner : {};
  const open = forms.filter(({ ended }) => ended === null || (row[ended] ?? null) === null);
  if (open.length === 0) return NOTHING;
  const state = digestOf(location.path, etag ?? '', total ?? '', JSON.stringify(value));
  return html`<section class="action-forms" aria-label="Actions">
    <noscript
      ><p class="ask">
        ${
          open.some((form) => isForUsers(OPERATIONS[form.operation]))
            ? html`Without JavaScript, you can change your own data, if you have
                <a href="${signInFor(location.path)}">signed in with e-mail address and password</a>.
                Everything else needs JavaScript or a terminal.`
            : html`To change something on this page, switch on JavaScript, or use a terminal. A change needs a
              key, and a browser without JavaScript cannot send a key.`
        }
      </p></noscript
    >
    ${open.map((form) => actionFormOf({ form, location, page: operation, row, etag, site, key: state }))}
  </section>`;
}

export interface ActionForm {
  readonly form: Form;
  readonly location: PageLocation;
  /** The operation of the page that has the form. */
  readonly page: Operation;
  /** The present values. */
  readonly row: Readonly<Record<string, unknown>>;
  readonly etag: string | undefined;
  readonly site: Site | undefined;
  /**
   * Names the state that the page shows. If a form is sent twice from the same state, without a script, its operation
   * is executed once (`Idempotency-Key`).
   */
  readonly key: string;
  /**
   * This member is set only if the form was sent without a script, and is shown again. `other` is a second button, or
   * nothing. The second button comes after the button that sends the form, because the key Enter presses the first
   * button.
   */
  readonly again?: { readonly sent: Sent; readonly told: Html; readonly other: Html };
}

/** A form for an operation that changes something. */
export function actionFormOf({ form, location, page, row, etag, site, key, again }: ActionForm): Html {
  const operation = OPERATIONS[form.operation];
  // A PUT without a body, such as a PUT that adds one row to another, shows no values.
  const isChange = operation.method === 'PATCH' || (operation.method === 'PUT' && form.fields !== null);
  const isDelete = operation.method === 'DELETE';
  const context = { prefix: form.operation, location, currency: site?.currency, sent: again?.sent };
  const fields = [
    ...form.path.map((field) => fieldOf({ ...context, field, part: 'path', value: undefined })),
    ...form.query.map((field) => fieldOf({ ...context, field, part: 'query', value: undefined })),
    ...(form.fields ?? []).map((field) =>
      fieldOf({ ...context, field, part: 'body', value: isChange ? row[field.name] : undefined }),
    ),
  ];
  const hasTag = form.isConditional && etag !== undefined;
  const conflicts = conflictsOf(form);
  const data = html`data-method="${operation.method}"
  data-address="${addressOf(operation, page, location)}"${
    form.fields === null ? NOTHING : html` data-body`
  }${hasTag ? html` data-etag="${etag}"` : NOTHING}${form.isRepeatable ? html` data-keyed` : NOTHING}${
    page.answer.key === null ? NOTHING : html` data-key="${page.answer.key}"`
  }${form.once.length === 0 ? NOTHING : html` data-once="${form.once.join(' ')}"`}${
    Object.keys(conflicts).length === 0 ? NOTHING : html` data-conflicts="${JSON.stringify(conflicts)}"`
  }`;
  const base = Object.fromEntries(
    racedFields(form, page).flatMap(({ name }) => (row[name] === undefined ? [] : [[name, row[name]]])),
  );
  const facts = [
    ['_form', form.operation],
    ...(hasTag ? [['_etag', etag]] : []),
    ...(form.isRepeatable ? [['_key', digestOf(key, form.operation)]] : []),
    ...(isChange || (isDelete && hasTag) ? [['_base', JSON.stringify(base)]] : []),
  ];
  return html`<details class="action-form${isDelete ? ' danger' : ''}"
    data-operation="${form.operation}" ${rightsOf(operation)} ${again ? html`open` : html`hidden`}>
    <summary>${form.title}</summary>
    ${form.about === '' ? NOTHING : html`<p class="about">${form.about}</p>`}
    <form method="post" action="${SENT}${location.path}" autocomplete="off" ${data}>
      <div class="told" role="alert" tabindex="-1">${again?.told ?? ''}</div>
      ${facts.map(([name = '', value = '']) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <div class="fields">${fields}</div>
      ${
        isDelete
          ? html`<noscript
              ><p class="field">
                <label><input type="checkbox" name="_sure" value="yes" required /> I am sure</label>
              </p></noscript
            >`
          : NOTHING
      }
      <p class="actions"><button${isDelete ? html` class="danger"` : NOTHING}>${
        isChange ? 'Save' : form.title
      }</button>${again?.other ?? NOTHING}</p>
    </form>
  </details>`;
}

/**
 * The fields that are compared if somebody else has changed the row of a form. For a deletion, these are the fields of
 * the form that changes the row. For any other form, these are its own fields.
 */
export function racedFields(form: Form, page: Operation): readonly Field[] {
  if (OPERATIONS[form.operation].method !== 'DELETE') return form.fields ?? [];
  const change = FORMS[page.id]?.find(({ operation }) => {
    const { method, paths } = OPERATIONS[operation];
    return method === 'PATCH' && paths[0] === OPERATIONS[form.operation].paths[0];
  });
  return change?.fields ?? [];
}

/** Each group of members whose values must be unique together, with the code of the conflict. */
const UNIQUE = Object.values(RELATIONS)
  .flatMap(({ unique }) => Object.entries(unique))
  .map(([code, members]) => [code, members.map(snakeCase)] as const);

/**
 * For each code of a 409, the fields of a form that can cause this 409. The key `*` stands for all codes that are not
 * in the result. The result has this key if the form has a single field and its operation is not a POST. A POST, such
 * as the POST for a new secret, may be refused for a reason that is in no field.
 */
export function conflictsOf({ operation, path, query, fields }: Form): Conflicts {
  const names = [...path, ...query, ...(fields ?? [])].map(({ name }) => name);
  return Object.fromEntries([
    ...UNIQUE.filter(([, members]) => members.every((member) => names.includes(member))),
    ...(names.length === 1 && OPERATIONS[operation].method !== 'POST' ? [['*', names] as const] : []),
  ]);
}

/**
 * The address of an operation that has its form on a page, such as `/api/v2/api-keys/3/rotate`.
 *
 * @param parts the parameters that are fields of the form; a parameter without a value stays in the address, as
 *   `{product_id}`
 */
export function addressOf(
  { paths }: Operation,
  page: Operation,
  { path }: Pick<PageLocation, 'path'>,
  parts: ReadonlyMap<string, string> = new Map(),
): string {
  const rest = (paths[0] ?? '').slice((page.paths[0] ?? '').length);
  return path + rest.replaceAll(/:(\w+)/g, (_match, name: string) => parts.get(name) ?? `{${name}}`);
}

export function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
