import type { Field, Referred } from '../../generated/forms.js';
import { OPERATIONS } from '../../generated/operations.js';
import { amountText } from '../../rules/entered.js';
import { html, type Html } from '../pages/html.js';
import type { Currency } from '../values/currency.js';
import type { PageLocation } from './addresses.js';
import { wordsOf } from './filters.js';
import { rightsOf } from './rights.js';
import { MOST_LINES, type Entries } from './sent-values.js';

const NOTHING = html``;

export interface Shown {
  readonly field: Field;
  /** The beginning of the ids of the elements of the field. */
  readonly prefix: string;
  readonly location: PageLocation;
  readonly currency: Currency | undefined;
  /** The part of the request that has the value. */
  readonly part: 'path' | 'query' | 'body';
  /** The present value; undefined if there is none. */
  readonly value: unknown;
  /** The beginning of the names of the controls in a line of a list, such as `items.0.`. */
  readonly line?: string;
  /** Only for a form that was sent without a script, and is shown again. */
  readonly sent?: Sent | undefined;
}

export interface Sent {
  readonly entries: Entries;
  /** The fault of each control, by the name of the control. */
  readonly faults: ReadonlyMap<string, string>;
}

/** The decimals of an amount if the currency of the store is not known. */
const UNKNOWN = { decimals: 2 };
const PARTS = { path: html` data-path`, query: html` data-query`, body: NOTHING };
/** Without a script, a list has this many empty lines. */
const EMPTY_LINES = 3;
/** The button that asks for more lines. */
export const MORE = '_more';
/** The button that replaces some entries by the present values. Its value names the fields of these entries. */
export const THEIRS = '_theirs';

/**
 * A field of a form. `data-field` is the name of its member, and `data-control` says how the script reads the value.
 * The last element of the field shows the fault.
 */
export function fieldOf(shown: Shown): Html {
  const { field, prefix, part, value, line = '', sent } = shown;
  const { name, control } = field;
  const id = `${prefix}-${name}`;
  const path = line + name;
  const fault = sent?.faults.get(path);
  // If the member can be null, an empty field means null. If the member cannot be null and has a value, the field is
  // required, even if a request may leave the member out.
  const isRequired = !field.nullable && (field.required || (value !== undefined && value !== null));
  const data = html`data-field="${name}"
  data-control="${control}"${PARTS[part]}${field.nullable ? html` data-nullable` : NOTHING}${
    isRequired && (field.minItems ?? 0) > 0 ? html` data-needed` : NOTHING
  }`;
  const mark = isRequired ? html` <span class="required">(required)</span>` : NOTHING;
  const hint = html`<small id="${id}-about">${aboutOf(shown)}</small
    ><strong class="fault" id="${id}-fault">${fault ?? ''}</strong>`;
  const described = html`aria-describedby="${id}-fault ${id}-about"`;
  const named = html`name="${path}"${fault === undefined ? NOTHING : html` aria-invalid="true"`}`;
  const { label } = field;
  if (control === 'choices') {
    const chosen = new Set(sent?.entries.getAll(path) ?? (Array.isArray(value) ? value.map(String) : []));
    return html`<fieldset class="field" ${data} ${described}>
      <legend>${label}${mark}</legend>
      <span class="choices"
        >${(field.values ?? []).map(
          (each) =>
            html`<label
              ><input
                type="checkbox"
                ${named}
                value="${each}"
                ${chosen.has(each) ? html` checked` : NOTHING}
              />
              ${each}</label
            >`,
        )}</span
      >${hint}
    </fieldset>`;
  }
  if (control === 'lines') return linesOf(shown, html`${data} ${described}`, html`${label}${mark}`, hint);
  return html`<div class="field${control === 'long' ? ' wide' : ''}" ${data}>
    <label for="${id}">${label}${mark}</label>
    ${controlOf(shown, id, html`id="${id}" ${named} ${described}${isRequired ? html` required` : NOTHING}`)}${hint}
  </div>`;
}

/** A list of objects. The script copies the template for each line, with a number in the place of `__n__`. */
function linesOf(shown: Shown, data: Html, legend: Html, hint: Html): Html {
  const { field, prefix, sent } = shown;
  const { name, fields = [], minItems = 0, maxItems } = field;
  const most = maxItems === undefined ? NOTHING : html` data-most="${String(maxItems)}"`;
  const lineOf = (number: string, isNeeded: boolean): readonly Html[] =>
    fields.map((each) =>
      fieldOf({
        ...shown,
        field: isNeeded ? each : { ...each, required: false },
        prefix: `${prefix}-${name}-${number}`,
        line: `${name}.${number}.`,
        value: undefined,
      }),
    );
  const count = Math.min((sent?.entries.countOf(name) ?? 0) + EMPTY_LINES, maxItems ?? MOST_LINES);
  return html`<fieldset class="field wide lines" ${data} data-least="${String(minItems)}" ${most}>
    <legend>${legend}</legend>
    <template>
      <div class="line">
        <div class="fields">${lineOf('__n__', true)}</div>
        <button type="button" class="quiet" data-remove>Remove this line</button>
      </div>
    </template>
    <div class="list"></div>
    <noscript>
      ${Array.from(
        { length: count },
        (_, index) =>
          html`<div class="line">
            <div class="fields">${lineOf(String(index), index < minItems)}</div>
          </div>`,
      )}
      <p class="actions">
        <button class="quiet" name="${MORE}" value="1" formnovalidate>More lines</button>
        <small>Empty lines are left out.</small>
      </p>
    </noscript>
    <p class="actions"><button type="button" class="quiet" data-add>Add a line</button></p>
    ${hint}
  </fieldset>`;
}

function controlOf(
  { field, location, currency, value, line = '', sent }: Shown,
  id: string,
  common: Html,
): Html {
  const { control, values, maxLength, minLength } = field;
  const given = sent?.entries.get(line + field.name);
  const text = given ?? textOf(value);
  // With `maxlength`, a browser would cut off a longer text, and show no message. It would also count code units, and
  // not code points.
  const lengths = html`${minLength === undefined ? NOTHING : html` minlength="${String(minLength)}"`}${
    maxLength === undefined ? NOTHING : html` data-longest="${String(maxLength)}"`
  }`;
  switch (control) {
    case 'boolean':
    case 'choice': {
      const options = control === 'boolean' ? ['true', 'false'] : (values ?? []);
      const chosen = value === undefined && given === undefined ? (field.initial ?? '') : text;
      const isOpen = !field.required && chosen === '';
      return html`<select ${common}>
        ${isOpen || !options.includes(chosen) ? html`<option value=""></option>` : NOTHING}${options.map(
          (each) =>
            html`<option value="${each}" ${each === chosen ? html` selected` : NOTHING}>
              ${WORDS[each] ?? each}
            </option>`,
        )}
      </select>`;
    }
    case 'long':
      return html`<textarea ${common}${lengths} rows="4">${protect(text)}</textarea>`;
    case 'texts': {
      const lines = given ?? (Array.isArray(value) ? value.map(String).join('\n') : '');
      return html`<textarea ${common} rows="3" spellcheck="false">${protect(lines)}</textarea>`;
    }
    case 'integer':
    case 'number':
      return html`<input
        type="number"
        ${common}
        value="${text}"
        step="${stepOf(field)}"
        ${boundsOf(field)}
      />`;
    case 'money': {
      const code = currency?.code ?? '';
      const { decimals } = currency ?? UNKNOWN;
      return html`<span class="unit"
        ><input
          type="text"
          inputmode="decimal"
          autocomplete="off"
          ${common}
          value="${given ?? amountText(value, decimals)}"
          pattern="\\s*\\d+${decimals === 0 ? '' : `([.,]\\d{1,${decimals}})?`}\\s*"
          title="Enter an amount such as ${decimals === 0 ? '18' : '18.50'}, without a thousands separator."
          data-decimals="${String(decimals)}"
          ${rangeOf(field, currency)}
          ${field.isMinor ? html` data-currency="${code}"` : NOTHING}
        />
        ${code}</span
      >`;
    }
    case 'reference':
      return referenceOf(location, field.refers, id, html`${common} value="${text}"`);
    case 'time':
      return html`<input
        type="datetime-local"
        step="1"
        max="9999-12-31T23:59:59"
        ${common}
        data-time="${textOf(value)}"
        value="${given ?? ''}"
      />`;
    case 'date':
      return html`<input type="date" max="9999-12-31" ${common} value="${text}" />`;
    case 'secret':
      return html`<input type="password" autocomplete="new-password" ${common}${lengths} />`;
    case 'email':
      // A control of the type `email` refuses letters that are not in ASCII.
      return html`<input
        type="text"
        inputmode="email"
        autocomplete="off"
        ${common}${lengths}
        value="${text}"
      />`;
    default:
      return html`<input type="text" autocomplete="off" ${common}${lengths} value="${text}" />`;
  }
}

/** The bounds of an amount in major units, as the visitor types it. */
function rangeOf({ minimum = 0, maximum, isMinor }: Field, currency: Currency | undefined): Html {
  if (maximum === undefined) return NOTHING;
  const major = (amount: number): string => String(isMinor && currency ? currency.toMajor(amount) : amount);
  return html`data-least="${major(minimum)}" data-most="${major(maximum)}"`;
}

/** The id of a row. The script suggests rows by their names, and shows the name of the entered row. */
function referenceOf(location: PageLocation, refers: Referred | undefined, id: string, common: Html): Html {
  if (!refers) return html`<input type="text" inputmode="numeric" ${common} />`;
  const [parameter = 'id'] = Object.keys(OPERATIONS[refers.item].path?.kinds ?? {});
  return html`<input
      type="text"
      inputmode="search"
      autocomplete="off"
      pattern="[1-9]\\d*"
      title="Enter the id of the row. It is a number."
      list="${id}-rows"
      ${common}
      ${rightsOf(OPERATIONS[refers.list])}
      data-list="${location.addressOf(refers.list)}"
      data-item="${location.addressOf(refers.item, { [parameter]: '' })}"
      ${refers.search === null ? NOTHING : html` data-search="${refers.search}"`}
    /><datalist id="${id}-rows"></datalist><output for="${id}"></output>`;
}

/** The hint of a field, with the bounds of its value, so that the visitor knows the bounds before the form is sent. */
function aboutOf({ field, currency }: Shown): readonly Html[] {
  const { control, minimum, maximum, minLength, maxLength, minItems, maxItems } = field;
  const said: string[] = [];
  if (control === 'money' && maximum !== undefined) {
    const major = (amount: number) => (field.isMinor && currency ? currency.toMajor(amount) : amount);
    said.push(
      `From ${numberOf(major(minimum ?? 0))} to ${numberOf(major(maximum))} ${currency?.code ?? ''}.`,
    );
  } else if (control === 'integer' || control === 'number') {
    if (minimum !== undefined && maximum !== undefined)
      said.push(`From ${numberOf(minimum)} to ${numberOf(maximum)}.`);
  } else if (control === 'texts') said.push('One in each line.');
  else if (maxLength === undefined || field.hint.includes(String(maxLength))) {
    // There is no bound, or the hint already names it.
  } else if (minLength !== undefined && minLength > 1) said.push(`${minLength} to ${maxLength} characters.`);
  else if (['text', 'long', 'email'].includes(control)) said.push(`At most ${maxLength} characters.`);
  if (maxItems !== undefined && control !== 'choices')
    said.push(minItems ? `${minItems} to ${maxItems}.` : `At most ${maxItems}.`);
  if (control === 'reference') said.push('Enter the id.');
  if (control === 'time') said.push('In the time zone of this device.');
  const words = wordsOf([field.hint, ...said].filter((text) => text !== '').join(' '));
  if (control === 'time') return [...words, html`<noscript> Without JavaScript: in UTC.</noscript>`];
  // The script shows this hint if the visitor may read the rows.
  if (control === 'reference')
    return [...words, html`<span data-find hidden> Or type a name to find it.</span>`];
  return words;
}

function numberOf(value: number): string {
  return value.toLocaleString('en');
}

function stepOf({ control, step }: Field): string {
  return control === 'integer' ? '1' : String(step ?? 'any');
}

function boundsOf({ minimum, maximum, initial }: Field): Html {
  return html`${minimum === undefined ? NOTHING : html` min="${String(minimum)}"`}${
    maximum === undefined ? NOTHING : html` max="${String(maximum)}"`
  }${initial === undefined ? NOTHING : html` placeholder="${initial}"`}`;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A parser of HTML drops the first newline of a textarea, so a text that begins with a newline gets one more. */
function protect(text: string): string {
  return text.startsWith('\n') ? `\n${text}` : text;
}

/** The words for the values of a flag. */
export const WORDS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };
