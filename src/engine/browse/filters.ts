import type { Browsable, Filter } from '../../generated/views.js';
import { labelFrom } from '../../rules/labels.js';
import { html, type Html } from '../pages/html.js';
import type { PageLocation } from './addresses.js';

/** These parameters select the part of the list that the page shows. They do not decide which rows are in the list. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['page', 'cursor']);
/** Links to other pages contain these parameters, although the visitor has not chosen them. */
const OF_LINKS: ReadonlySet<string> = new Set(['limit', 'after']);
const NOTHING = html``;

/**
 * The beginning of the addresses to which forms are sent. A browser also sends the empty fields of a form. For a filter
 * (GET), the route of these addresses removes the empty fields, and redirects to the page; see page-routes.ts. For a
 * form that changes data (POST), see sent-forms.ts.
 */
export const FORMS = '/browse';

/** The labels of parameters whose names are no words. */
const LABELS: Readonly<Record<string, string>> = { q: 'Search' };

/** The fault of each parameter, by its name. */
export type ParameterFaults = ReadonlyMap<string, string>;

const NO_FAULTS: ParameterFaults = new Map();

/**
 * A form with the parameters of an operation; it works without a script. Every field shows the given value, even if the
 * value is not valid. A field with a fault also shows the fault.
 */
export function formOf(
  location: PageLocation,
  { filters }: Browsable,
  faults: ParameterFaults = NO_FAULTS,
): Html {
  const shown = filters.filter(({ name }) => !OF_THE_PAGE.has(name));
  if (shown.length === 0) return NOTHING;
  const isUsed = shown.some(
    ({ name }) => faults.has(name) || (location.query.has(name) && !OF_LINKS.has(name)),
  );
  return html`<details class="filters" ${isUsed ? html` open` : NOTHING}>
    <summary>Filter and sort</summary>
    <form method="get" action="${FORMS}${location.path}">
      ${shown.map((filter) => fieldOf(filter, location, faults.get(filter.name)))}
      <p class="actions">
        <button>Show</button>${isUsed ? html` <a href="${location.path}">Clear</a>` : NOTHING}
      </p>
    </form>
  </details>`;
}

function fieldOf(filter: Filter, { query }: PageLocation, fault: string | undefined): Html {
  const { name, description } = filter;
  const label = LABELS[name] ?? labelFrom(name);
  const told =
    fault === undefined ? NOTHING : html`<strong class="fault" id="fault-${name}">${label} ${fault}</strong>`;
  const hint = html`${told}<small id="about-${name}">${wordsOf(description)}</small>`;
  const described = html`aria-describedby="${fault === undefined ? '' : `fault-${name} `}about-${name}"${
    fault === undefined ? NOTHING : html` aria-invalid="true"`
  }`;
  const given = query.getAll(name).join(',');
  if (filter.kind === 'choices' && name !== 'sort') {
    const known = filter.values ?? [];
    const chosen = new Set(given.split(',').filter((value) => value !== ''));
    // An unknown value stays in the form, so that the user can see and remove it.
    const values = [...known, ...[...chosen].filter((value) => !known.includes(value))];
    return html`<fieldset class="field" ${described}>
      <legend>${label}</legend>
      <span class="choices"
        >${values.map(
          (value) =>
            html`<label
              ><input
                type="checkbox"
                name="${name}"
                value="${value}"
                ${chosen.has(value) ? html` checked` : NOTHING}
              />
              ${value}</label
            >`,
        )}</span
      >${hint}
    </fieldset>`;
  }
  return html`<div class="field">
    <label for="by-${name}">${label}</label> ${controlOf(filter, given, described)}${hint}
  </div>`;
}

function controlOf(filter: Filter, given: string, described: Html): Html {
  const { name, kind, required } = filter;
  const common = html`id="by-${name}" name="${name}" ${described}${required ? html` required` : NOTHING}`;
  if (kind === 'boolean') return selectOf(common, given, ['true', 'false']);
  if (kind === 'choice' || kind === 'choices') return selectOf(common, given, filter.values ?? []);
  const value = html` value="${given}"`;
  // A browser shows a field of the type `number` as empty if its value is not a number.
  if ((kind === 'integer' || kind === 'number') && NUMBER.test(given)) {
    const step = kind === 'integer' ? 1 : (filter.step ?? 'any');
    return html`<input type="number" ${common}${value} step="${String(step)}" ${bounds(filter)} />`;
  }
  const { maxLength } = filter;
  // With `maxlength`, a browser could cut off a longer value.
  const length =
    maxLength === undefined || given.length > maxLength ? NOTHING : html` maxlength="${String(maxLength)}"`;
  const example = kind === 'time' ? html` placeholder="2026-11-21T08:00:00Z"` : NOTHING;
  return html`<input type="text" ${common}${value}${length}${example} autocomplete="off" />`;
}

const NUMBER = /^(-?\d+(\.\d+)?)?$/;

function bounds({ minimum, maximum, initial }: Filter): Html {
  return html`${minimum === undefined ? NOTHING : html` min="${String(minimum)}"`}${
    maximum === undefined ? NOTHING : html` max="${String(maximum)}"`
  }${initial === undefined ? NOTHING : html` placeholder="${initial}"`}`;
}

/**
 * Makes a field with a choice of values. The field shows the given value even if this value is not one of the choices,
 * such as a list of several sort keys, or a wrong value.
 */
function selectOf(common: Html, given: string, values: readonly string[]): Html {
  const options = given === '' || values.includes(given) ? values : [...values, given];
  return html`<select ${common}>
    <option value=""></option>
    ${options.map((value) => html`<option${value === given ? html` selected` : NOTHING}>${value}</option>`)}
  </select>`;
}

/** Renders the backticks of Markdown, and no other part of Markdown. */
export function wordsOf(description: string): readonly Html[] {
  return description
    .split('`')
    .map((text, index) => (index % 2 === 1 ? html`<code>${text}</code>` : html`${text}`));
}
