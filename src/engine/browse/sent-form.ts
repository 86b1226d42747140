import { FORMS, type Field, type Form } from '../../generated/forms.js';
import { OPERATIONS, type Operation, type OperationId } from '../../generated/operations.js';
import { conflicting } from '../../rules/conflicts.js';
import {
  amountText,
  changedIn,
  faultOf,
  isContested,
  NOT_A_PATH_PART,
  pathPart,
} from '../../rules/entered.js';
import { readJson } from '../contract/json.js';
import { MalformedRequest } from '../errors/errors.js';
import { isObject, type ProblemBody, type Site } from '../formats/format.js';
import { OLD } from '../http/versions.js';
import { html, type Html } from '../pages/html.js';
import { tableOf } from '../pages/table.js';
import type { Currency } from '../values/currency.js';
import { PageLocation } from './addresses.js';
import { MORE, THEIRS, WORDS, type Sent } from './form-fields.js';
import { actionFormOf, addressOf, conflictsOf, digestOf, racedFields } from './forms.js';
import { Entries, MOST_LINES, valuesIn, type Values } from './sent-values.js';

const NOTHING = html``;
/** An entity tag, or `*`. The tags of the service have about 20 characters. */
const TAG = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]{0,200}")$/;

/** A request to the API. */
export interface ApiRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string | undefined;
}

/**
 * A form that a browser without a script has sent: the request that the form stands for, and the page that shows the
 * form again.
 */
export class SentForm {
  readonly location: PageLocation;
  private readonly entries: Entries;
  private readonly operation: Operation;
  /** The values with which the visitor began. */
  private readonly base: Values;
  private readonly etag: string | undefined;

  private constructor(
    readonly form: Form,
    private readonly page: Operation,
    path: string,
    sent: URLSearchParams,
    private readonly site: Site,
  ) {
    this.operation = OPERATIONS[form.operation];
    this.location = new PageLocation(path, page.id, page.version ?? OLD);
    this.entries = new Entries(sent, form.fields ?? []);
    this.base = baseIn(this.entries.get('_base'));
    this.etag = this.entries.get('_etag');
    if (this.etag !== undefined && !TAG.test(this.etag)) throw notOfThePage();
  }

  /**
   * @param path the address of the page that has the form
   * @returns null if this page has no such form
   * @throws MalformedRequest if a hidden entry has a value that no page can have given it
   */
  static find(path: string, sent: URLSearchParams, site: Site): SentForm | null {
    const named = sent.get('_form');
    for (const [id, forms] of Object.entries(FORMS)) {
      const form = forms.find(({ operation }) => operation === named);
      const page = OPERATIONS[id as OperationId];
      if (form && page.paths.some((pattern) => isAt(path, pattern)))
        return new SentForm(form, page, path, sent, site);
    }
    return null;
  }

  /** Whether the visitor asks for more lines, instead of sending the form. */
  get wantsMore(): boolean {
    return this.entries.has(MORE);
  }

  /** Whether the visitor takes the values of somebody else, instead of sending the form. */
  get takesTheirs(): boolean {
    return this.entries.has(THEIRS);
  }

  /** Whether the form is a deletion that the visitor has not confirmed. */
  get isUnsure(): boolean {
    return this.operation.method === 'DELETE' && !this.entries.has('_sure');
  }

  /**
   * The faults for which the form is not sent to the API: parameters of the address that have no value, or a value that
   * an address cannot have, and lists without a maximum that have too many lines for a form.
   */
  get ownFaults(): ReadonlyMap<string, string> {
    const parts = this.parts();
    const lacking = this.form.path.filter(({ name }) => !parts.has(name));
    const long = (this.form.fields ?? []).filter(
      ({ name, maxItems }) => maxItems === undefined && this.entries.countOf(name) > MOST_LINES,
    );
    return new Map([
      ...lacking.map(({ name }) => [name, NOT_A_PATH_PART] as const),
      ...long.map(({ name }) => [name, `must have at most ${MOST_LINES} lines in this form`] as const),
    ]);
  }

  private parts(): ReadonlyMap<string, string> {
    const values = valuesIn(this.form.path, this.entries, this.site.currency);
    return new Map(
      Object.entries(values)
        .map(([name, value]) => [name, pathPart(value)] as const)
        .filter((pair): pair is readonly [string, string] => pair[1] !== null),
    );
  }

  /** @returns null for a PATCH, if the visitor has changed nothing */
  request(): ApiRequest | null {
    const { form, operation, entries } = this;
    const { currency } = this.site;
    const method = operation.method as ApiRequest['method'];
    const values = this.values();
    if (method === 'PATCH' && Object.keys(values).length === 0) return null;
    const query = new URLSearchParams(
      Object.entries(valuesIn(form.query, entries, currency)).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const payload = form.fields === null ? undefined : JSON.stringify(values);
    const key = entries.get('_key');
    const address = addressOf(operation, this.page, this.location, this.parts());
    const url = query.size === 0 ? address : `${address}?${query.toString()}`;
    return {
      method,
      url,
      headers: {
        accept: 'application/json',
        ...(form.fields !== null && { 'content-type': 'application/json' }),
        ...(this.etag !== undefined && { 'if-match': this.etag }),
        // A form with other content is another request, even if the visitor goes back to the same page.
        ...(key !== undefined && { 'idempotency-key': `"${digestOf(key, url, payload ?? '')}"` }),
      },
      payload,
    };
  }

  /** The values that are sent. For a PATCH, these are only the changed values. */
  private values(): Values {
    const values = valuesIn(this.form.fields ?? [], this.entries, this.site.currency);
    return this.operation.method === 'PATCH' ? changedIn(values, this.base) : values;
  }

  /** Shows the form again, with the entries of the visitor. */
  again(told: Html = NOTHING, faults: ReadonlyMap<string, string> = new Map()): Html {
    return this.shown({ entries: this.entries, faults }, told, this.base, this.etag);
  }

  /** Shows the form again, with each of `ownFaults` at its field. */
  unsent(): Html {
    return this.again(html`Not saved. Look at the marked fields.`, this.ownFaults);
  }

  /** Shows the form again, with each fault of the answer at its field. */
  refused(problem: ProblemBody): Html {
    const faults = new Map<string, string>();
    const others: string[] = [];
    for (const { pointer, parameter, detail } of faultsOf(problem)) {
      const path = parameter ?? this.pathOf(pointer ?? '');
      const fault = faultOf(this.form.fields?.find(({ name }) => name === path)?.control, pointer, detail);
      if (path !== null) faults.set(path, faults.has(path) ? `${faults.get(path)}; ${fault}` : fault);
      else others.push([pointer?.replace(/^#\/?/, '') ?? '', detail].filter(Boolean).join(' '));
    }
    for (const name of conflicting(problem, conflictsOf(this.form)))
      faults.set(name, String(problem['detail']));
    const told =
      others.length > 0
        ? others.join('. ')
        : faults.size > 0
          ? 'Not saved. Look at the marked fields.'
          : String(problem['detail'] ?? problem['title']);
    return this.again(html`${told}`, faults);
  }

  /**
   * The name of the control for a pointer such as `#/items/0/quantity`; null if no field of the form belongs to the
   * pointer.
   */
  private pathOf(pointer: string): string | null {
    const [name = '', ...rest] = pointer.split('/').slice(1);
    const field = this.form.fields?.find((each) => each.name === name);
    if (!field) return null;
    return field.control === 'lines' && rest.length >= 2 ? `${name}.${rest[0]}.${rest[1]}` : name;
  }

  /**
   * Shows the form again, if somebody else has changed the row after the page was made. The form keeps the changes of
   * the visitor, and shows the present values of all other fields.
   */
  raced(theirs: Values, etag: string | null): Html {
    const { currency } = this.site;
    const { base } = this;
    const isDelete = this.operation.method === 'DELETE';
    const mine = this.values();
    const contested = racedFields(this.form, this.page).filter(({ name }) =>
      isContested(name, theirs, isDelete ? base : mine, base),
    );
    const rows = contested.map((field) => {
      const { name, label } = field;
      const words = (value: unknown): string => wordsFor(field, value, currency);
      if (isDelete) return [label, words(base[name]), words(theirs[name])];
      return [label, words(theirs[name]), Object.hasOwn(mine, name) ? words(mine[name]) : 'not changed'];
    });
    const names = contested.map(({ name }) => name).join(' ');
    const head = isDelete ? ['Field', 'Before', 'Now'] : ['Field', 'Theirs', 'Yours'];
    const told = html`<p>
        Somebody changed this row while you were here.
        ${isDelete ? 'Nothing is deleted yet.' : 'Nothing of yours is saved yet.'}
        ${rows.length === 0 && !isDelete ? 'None of the changes contradicts yours.' : ''}
      </p>
      ${rows.length === 0 ? NOTHING : tableOf({ head, rows })}
      <p>
        ${
          isDelete
            ? html`Send the form again to delete it anyway, or <a href="${this.location.path}">keep it</a>.`
            : 'Send the form again to save yours, or press “Take theirs” below it.'
        }
      </p>`;
    const other = isDelete
      ? NOTHING
      : html` <button class="quiet" name="${THEIRS}" value="${names}" formnovalidate>Take theirs</button>`;
    const sent = { entries: this.only(Object.keys(mine)), faults: new Map<string, string>() };
    return this.shown(sent, told, theirs, etag ?? undefined, other);
  }

  /**
   * Shows the form again, with the present values in the fields that somebody else has changed too. The entries in all
   * other fields stay.
   */
  withTheirs(): Html {
    const taken = new Set(this.entries.get(THEIRS)?.split(' '));
    const mine = Object.keys(this.values()).filter((name) => !taken.has(name));
    const rest = mine.length > 0 ? ' Your other entries are still here.' : '';
    const told = html`The form shows the present values.${rest}`;
    return this.shown({ entries: this.only(mine), faults: new Map() }, told, this.base, this.etag);
  }

  /** The entries of these members only. */
  private only(names: readonly string[]): Entries {
    const kept = this.entries.all().filter(([name]) => names.includes(name));
    return new Entries(kept, this.form.fields ?? []);
  }

  private shown(sent: Sent, told: Html, row: Values, etag: string | undefined, other = NOTHING): Html {
    const { form, location, page, site } = this;
    // The refused request had no effect. So the form gets another key, and the next try counts as another request.
    const key = digestOf(JSON.stringify(this.entries.all()));
    return html`<p><a href="${location.path}">Back to the page</a></p>
      <section class="action-forms" aria-label="Actions">
        ${actionFormOf({ form, location, page, row, etag, site, key, again: { sent, told, other } })}
      </section>`;
  }
}

/** @throws MalformedRequest */
function baseIn(text: string | undefined): Values {
  if (text === undefined) return {};
  try {
    const { value, faults } = readJson(Buffer.from(text));
    if (faults.length === 0 && isObject(value)) return value;
  } catch {
    // The text is no JSON.
  }
  throw notOfThePage();
}

function notOfThePage(): MalformedRequest {
  return new MalformedRequest(
    'The hidden entries of this form are not those of its page. Open the page again.',
  );
}

interface ShownFault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}

function faultsOf({ errors }: ProblemBody): readonly ShownFault[] {
  return Array.isArray(errors) ? (errors as ShownFault[]) : [];
}

function wordsFor({ control }: Field, value: unknown, currency: Currency): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (control === 'money') return amountText(value, currency.decimals);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return control === 'boolean' ? (WORDS[text] ?? text) : text;
}

/** Whether a path fits a pattern in the router's syntax. */
function isAt(path: string, pattern: string): boolean {
  const [given, wanted] = [path.split('/'), pattern.split('/')];
  return (
    given.length === wanted.length &&
    wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  );
}
