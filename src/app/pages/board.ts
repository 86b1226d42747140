import { listsFor } from '../../engine/browse/page.js';
import type { Config } from '../../engine/config/config.js';
import { html } from '../../engine/pages/html.js';
import { NEXT_STATUSES } from '../../store/orders/order-status.js';
import { filled } from './overview.js';

/**
 * Fills the order board. The page contains no data, because the request of a page carries no credential. It contains the
 * facts that its script needs: the currency, and the next statuses of each status.
 */
export function boardOf(template: string, { currency }: Config, path: string): string {
  const tiles = Object.entries(NEXT_STATUSES).map(
    ([status, next]) =>
      html`<li>
        <button type="button" data-status="${status}" data-next="${next.join(' ')}" aria-pressed="false">
          <span class="status" data-status="${status}">${status}</span>
          <strong class="orders">–</strong>
          <span class="money">–</span>
        </button>
      </li>`,
  );
  return filled(template, {
    collections: listsFor(path),
    currency: currency.code,
    decimals: currency.toMajor(1) === 1 ? '0' : '2',
    statuses: html`${tiles}`,
  });
}
