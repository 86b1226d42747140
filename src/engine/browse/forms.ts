import { FORMS, type Form } from '../../generated/forms.js';
import { OPERATIONS, type Operation } from '../../generated/operations.js';
import { isObject, type View } from '../formats/format.js';
import { html, type Html } from '../pages/html.js';
import type { Place } from './addresses.js';
import { fieldOf } from './form-fields.js';
import { wordsOf } from './filters.js';
import { rightsOf } from './rights.js';

const NOTHING = html``;

/**
 * The forms of a page: everything that a caller could create, change or delete here. The page is the same for all
 * callers, so each form is hidden, and says which rights it needs. The script of the page (`pages/forms.ts`) shows the
 * forms that the session allows, and sends them.
 *
 * @param value the answer that the page shows; its row fills in the forms that change it
 */
export function formsOn(place: Place, value: unknown, view: View): Html {
  const { operation } = place;
  const forms = operation ? (FORMS[operation.id] ?? []) : [];
  if (!operation || forms.length === 0) return NOTHING;
  const { key } = operation.answer;
  const inner = key !== null && isObject(value) ? value[key] : value;
  const row = isObject(inner) ? inner : {};
  return html`<section class="acts" aria-label="Actions">
    <noscript
      ><p class="ask">To change something on this page, switch on JavaScript, or use a terminal.</p></noscript
    >
    ${forms.map((form) => actOf(form, place, operation, row, view))}
  </section>`;
}

/** A form for an operation that changes something. */
function actOf(
  form: Form,
  place: Place,
  page: Operation,
  row: Readonly<Record<string, unknown>>,
  { etag, site }: View,
): Html {
  const operation = OPERATIONS[form.operation];
  const isChange = operation.method === 'PATCH' || operation.method === 'PUT';
  const isDelete = operation.method === 'DELETE';
  const context = { prefix: form.operation, place, currency: site?.currency };
  const fields = [
    ...form.query.map((field) => fieldOf({ ...context, field, isQuery: true, value: undefined })),
    ...(form.fields ?? []).map((field) =>
      fieldOf({ ...context, field, isQuery: false, value: isChange ? row[field.name] : undefined }),
    ),
  ];
  const data = html`data-method="${operation.method}"${form.fields === null ? NOTHING : html` data-body`}${
    form.isConditional && etag !== undefined ? html` data-etag="${etag}"` : NOTHING
  }${form.isRepeatable ? html` data-keyed` : NOTHING}${
    page.answer.key === null ? NOTHING : html` data-key="${page.answer.key}"`
  }${form.once.length === 0 ? NOTHING : html` data-once="${form.once.join(' ')}"`}`;
  return html`<details class="act${isDelete ? ' danger' : ''}" data-act="${form.operation}" ${rightsOf(operation)} hidden>
    <summary>${form.summary}</summary>
    ${isChange ? NOTHING : html`<p class="about">${wordsOf(form.description)}</p>`}
    <form method="post" action="${place.path}${restOf(operation, page)}" autocomplete="off" novalidate ${data}>
      <div class="told" role="alert" tabindex="-1"></div>
      <div class="fields">${fields}</div>
      <p class="actions"><button${isDelete ? html` class="danger"` : NOTHING}>${
        isChange ? 'Save' : form.summary
      }</button></p>
    </form>
  </details>`;
}

/** The part of the address of an operation after the address of its page, such as `/rotate`. */
function restOf({ paths }: Operation, page: Operation): string {
  return (paths[0] ?? '').slice((page.paths[0] ?? '').length);
}
