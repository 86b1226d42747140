import { conflicting, type Conflicts } from '../src/rules/conflicts.js';
import { faultOf } from '../src/rules/entered.js';
import { controlIn, fieldsIn, linesOf, nameOf } from './form-values.js';

/* The faults of a form. Each fault is shown at its field. The message of the form has the faults without a field. */

export interface Problem {
  readonly status?: number;
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly {
    readonly pointer?: string;
    readonly parameter?: string;
    readonly detail: string;
  }[];
}

/** Shows each fault at its field. The message of the form has the faults without a field. */
export function showProblem(form: HTMLFormElement, problem: Problem): void {
  const { title, detail, errors = [] } = problem;
  const others: string[] = [];
  const names = conflicting(problem, JSON.parse(form.dataset['conflicts'] ?? '{}') as Conflicts);
  for (const field of fieldsIn(form)) if (names.includes(nameOf(field))) showFault(field, detail ?? '');
  const faults = new Map<HTMLElement, string[]>();
  for (const { pointer, parameter, detail: text } of errors) {
    const field = fieldAt(form, pointer, parameter);
    if (field)
      faults.set(field, [...(faults.get(field) ?? []), faultOf(field.dataset['control'], pointer, text)]);
    else others.push([pointer?.replace(/^#\/?/, '') ?? parameter, text].filter(Boolean).join(' '));
  }
  for (const [field, texts] of faults) showFault(field, texts.join('; '));
  const first = form.querySelector<HTMLElement>('[aria-invalid=true]');
  if (first) first.focus();
  if (others.length === 0 && first) {
    tell(form, 'Not saved. Look at the marked fields.');
    return;
  }
  tell(form, others.length > 0 ? others.join('. ') : (detail ?? title ?? 'The service refused this.'));
  if (!first) told(form).focus();
}

/**
 * Returns the field of a parameter or of a pointer; null if the form has no such field. A pointer such as
 * `#/items/0/quantity` leads to a field in a line of a list. If there is no such line, or if the line has no such
 * field, the function returns the field of the list.
 */
function fieldAt(form: HTMLFormElement, pointer?: string, parameter?: string): HTMLElement | null {
  const [name, index, ...rest] = parameter === undefined ? (pointer ?? '').split('/').slice(1) : [parameter];
  const field = fieldsIn(form).find(
    (each) =>
      nameOf(each) === name && each.matches('[data-path], [data-query]') === (parameter !== undefined),
  );
  if (!field || index === undefined || field.dataset['control'] !== 'lines') return field ?? null;
  const line = linesOf(field)[Number(index)];
  return (line && fieldsIn(line).find((each) => nameOf(each) === rest[0])) ?? field;
}

export function fieldOf(control: HTMLElement): HTMLElement {
  return control.closest('[data-field]') as HTMLElement;
}

export function showFault(field: HTMLElement, text: string): void {
  const place = field.querySelector<HTMLElement>(':scope > .fault');
  if (place) place.textContent = text;
  const control = field.dataset['control'] === 'choices' ? field.querySelector('input') : controlIn(field);
  control?.setAttribute('aria-invalid', 'true');
}

export function clearFaults(form: HTMLFormElement): void {
  for (const place of form.querySelectorAll<HTMLElement>('.fault')) place.textContent = '';
  for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
  told(form).replaceChildren();
}

export function told(form: HTMLFormElement): HTMLElement {
  return form.querySelector('.told') as HTMLElement;
}

export function tell(form: HTMLFormElement, ...parts: (string | Node)[]): void {
  told(form).replaceChildren(...parts);
}
