import { NOT_A_PATH_PART, pathPart } from '../src/rules/entered.js';
import { fieldOf, showFault } from './form-faults.js';
import { controlIn, fieldsIn, nameOf, valuesIn } from './form-values.js';

/* The checks of a form before it is sent. The service checks the values again. */

/** Whether a form has no faults. Shows the faults at their fields, and puts the focus on the first of these fields. */
export function isComplete(form: HTMLFormElement): boolean {
  const wrong = [...form.elements].filter(
    (each): each is HTMLInputElement => each instanceof HTMLElement && 'validity' in each && !isValid(each),
  );
  for (const control of wrong) showFault(fieldOf(control), messageOf(control));
  const lacking = fieldsIn(form).filter(isUnchosen);
  for (const field of lacking) showFault(field, 'Choose at least one.');
  const first = form.querySelector<HTMLElement>('[aria-invalid=true]');
  if (first) {
    first.focus();
    return false;
  }
  return isAddressed(form);
}

/** The `title` of a control says more about the format than the message of the browser. */
function messageOf({ validity, title, validationMessage }: HTMLInputElement): string {
  return validity.patternMismatch && title !== '' ? title : validationMessage;
}

/** Whether a group of checkboxes needs a choice and has none. Browsers do not check this. */
function isUnchosen(field: HTMLElement): boolean {
  const isGroup = field.dataset['control'] === 'choices' && field.hasAttribute('data-needed');
  return isGroup && field.querySelector('input:checked') === null;
}

function isValid(control: Element): boolean {
  const input = control as HTMLInputElement;
  if (input.dataset['most'] !== undefined && 'decimals' in input.dataset) limitAmount(input);
  if (input.dataset['longest'] !== undefined) limitText(input, Number(input.dataset['longest']));
  return input.validity.valid;
}

/** Counts code points, as the service does. A browser would count an emoji twice, and would cut the text. */
function limitText(input: HTMLInputElement, most: number): void {
  const count = Array.from(input.value).length;
  const [bound, length] = [most, count].map((number) => number.toLocaleString('en'));
  input.setCustomValidity(count > most ? `At most ${bound} characters; you entered ${length}.` : '');
}

/**
 * The service reports the bounds of an amount in minor units. So the script checks the amount, and reports the bounds
 * in the units that the visitor typed.
 */
function limitAmount(input: HTMLInputElement): void {
  const { least, most } = input.dataset;
  const amount = Number(input.value.replace(',', '.'));
  const isOutside = input.value !== '' && (amount < Number(least) || amount > Number(most));
  const [lowest, highest] = [least, most].map((bound) => Number(bound).toLocaleString('en'));
  input.setCustomValidity(isOutside ? `Enter an amount from ${lowest} to ${highest}.` : '');
}

/** Shows a fault at each field whose value cannot be in an address. */
function isAddressed(form: HTMLFormElement): boolean {
  const parts = valuesIn(form, 'path');
  const lacking = fieldsIn(form).filter(
    (field) => field.hasAttribute('data-path') && pathPart(parts[nameOf(field)]) === null,
  );
  for (const field of lacking) showFault(field, NOT_A_PATH_PART);
  if (lacking[0]) controlIn(lacking[0]).focus();
  return lacking.length === 0;
}
