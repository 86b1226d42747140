import type { Page } from 'playwright-core';

/** Opens a form of a page, by the words of its heading. */
export const open = (page: Page, words: string) => page.locator('summary', { hasText: words }).click();

/** A control of the form that is open. */
export const fieldIn = (page: Page, label: string) => page.locator('.action-form[open]').getByLabel(label);

/** The fault at a control of the form that is open. */
export const faultOf = (page: Page, label: string) =>
  fieldIn(page, label).locator('xpath=ancestor::*[@data-field][1]').locator(':scope > .fault').innerText();

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Leaves out the faults that come from refusals with these statuses. Chromium writes each refusal on its console. */
export const unexpected = (faults: readonly string[], ...statuses: readonly number[]) =>
  faults.filter((fault) => !statuses.some((status) => fault.includes(`status of ${status}`)));

/** The secret that the page shows only once. */
export const secretOn = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Shown only once' })
    .locator(`dt:text-is("${name}") + dd code`)
    .innerText();

/** Follows the link beside the secret, to the page of the row that the secret belongs to. */
export async function openIt(page: Page, title: string): Promise<void> {
  const once = page.getByRole('region', { name: 'Shown only once' });
  await once.getByRole('link', { name: 'Open it' }).click();
  await page.getByRole('heading', { name: title }).waitFor();
}

/** Sends a form that ends something, such as a key, and confirms it in the dialog of the page. */
export async function confirm(page: Page, words: string): Promise<void> {
  await open(page, words);
  await press(page, words);
  await page.getByRole('dialog').getByRole('button', { name: words }).click();
  await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor();
}

/** The same as `confirm` on a page without a script: the form has a checkbox instead of the dialog. */
export async function confirmPlainly(page: Page, words: string, title: string): Promise<void> {
  await open(page, words);
  await page.getByLabel('I am sure').check();
  await press(page, words);
  await page.getByRole('heading', { name: title }).waitFor();
}

/** The status of the answer to a request with this API key. */
export const statusOf = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/api/v2/credential`, { headers: { 'x-api-key': key } })).status;
