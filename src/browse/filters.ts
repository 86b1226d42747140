import type { Browsable, Filter } from '../generated/views.js';
import { html, type Html } from '../pages/html.js';
import type { Place } from './addresses.js';

/** They say which part of the list is shown, not what is on it. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['page', 'cursor']);
/** Links to other pages have them, of which nobody chose anything. */
const OF_LINKS: ReadonlySet<string> = new Set(['limit', 'after']);
const NOTHING = html``;

/** Where forms are sent that may have empty fields; see page-routes.ts. */
export const FORMS = '/browse';

/** A form of the parameters that an operation takes, filled in as they were given; it works without a script. */
export function formOf(place: Place, { filters }: Browsable): Html {
  const shown = filters.filter(({ name }) => !OF_THE_PAGE.has(name));
  if (shown.length === 0) return NOTHING;
  const isUsed = shown.some(({ name }) => place.query.has(name) && !OF_LINKS.has(name));
  return html`<details class="filters" ${isUsed ? html` open` : NOTHING}>
    <summary>Filter and sort</summary>
    <form method="get" action="${FORMS}${place.path}">
      ${shown.map((filter) => fieldOf(filter, place))}
      <p class="actions">
        <button>Show</button>${isUsed ? html` <a href="${place.path}">Clear</a>` : NOTHING}
      </p>
    </form>
  </details>`;
}

function fieldOf(filter: Filter, { query }: Place): Html {
  const { name, description } = filter;
  const hint = html`<small id="about-${name}">${wordsOf(description)}</small>`;
  const given = query.get(name) ?? '';
  if (filter.kind === 'choices' && name !== 'sort') {
    const chosen = new Set(given.split(','));
    return html`<fieldset class="field" aria-describedby="about-${name}">
      <legend>${name}</legend>
      <span class="choices"
        >${(filter.values ?? []).map(
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
    <label for="by-${name}">${name}</label> ${controlOf(filter, given)}${hint}
  </div>`;
}

function controlOf(filter: Filter, given: string): Html {
  const { name, kind, required } = filter;
  const common = html`id="by-${name}" name="${name}"
  aria-describedby="about-${name}"${required ? html` required` : NOTHING}`;
  if (kind === 'boolean') return selectOf(common, given, ['true', 'false']);
  if (kind === 'choice' || kind === 'choices') {
    const values = filter.values ?? [];
    // Several keys to sort by can be given in the address only.
    return selectOf(common, given, given.includes(',') ? [...values, given] : values);
  }
  const value = html` value="${given}"`;
  if (kind === 'integer' || kind === 'number') {
    const step = kind === 'integer' ? 1 : (filter.step ?? 'any');
    return html`<input type="number" ${common}${value} step="${String(step)}" ${bounds(filter)} />`;
  }
  const { maxLength } = filter;
  const length = maxLength === undefined ? NOTHING : html` maxlength="${String(maxLength)}"`;
  const example = kind === 'time' ? html` placeholder="2026-11-21T08:00:00Z"` : NOTHING;
  return html`<input type="text" ${common}${value}${length}${example} autocomplete="off" />`;
}

function bounds({ minimum, maximum, initial }: Filter): Html {
  return html`${minimum === undefined ? NOTHING : html` min="${String(minimum)}"`}${
    maximum === undefined ? NOTHING : html` max="${String(maximum)}"`
  }${initial === undefined ? NOTHING : html` placeholder="${initial}"`}`;
}

function selectOf(common: Html, given: string, values: readonly string[]): Html {
  return html`<select ${common}>
    <option value=""></option>
    ${values.map((value) => html`<option${value === given ? html` selected` : NOTHING}>${value}</option>`)}
  </select>`;
}

/** Of Markdown only what stands between backticks. */
function wordsOf(description: string): readonly Html[] {
  return description
    .split('`')
    .map((text, index) => (index % 2 === 1 ? html`<code>${text}</code>` : html`${text}`));
}
