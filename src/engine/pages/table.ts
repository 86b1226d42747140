import { html, type Html } from './html.js';

export interface Table {
  readonly title?: string;
  readonly head: readonly string[];
  /** The first text of each row is its name. */
  readonly rows: readonly (readonly string[])[];
}

export function tableOf({ title, head, rows }: Table): Html {
  return html`<table>
    ${
      title === undefined
        ? html``
        : html`<caption>
            ${title}
          </caption>`
    }
    <thead>
      <tr>
        ${head.map((text) => html`<th scope="col">${text}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name = '', ...values]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${values.map((text) => html`<td>${text}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
