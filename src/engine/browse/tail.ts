import { EVENT_STREAM } from '../contract/live-answer.js';
import { html, type Html } from '../pages/html.js';
import type { PageLocation } from './addresses.js';
import { rightsOf } from './rights.js';

const NOTHING = html``;

/**
 * The part of a page that shows new events as they come. A page has this part if its address can also answer with a
 * stream of events. The part is hidden until the script of the page (`pages/events/tail.ts`) shows it.
 */
export function tailOn(location: PageLocation): Html {
  const { operation } = location;
  if (!operation?.answer.mediaTypes.includes(EVENT_STREAM)) return NOTHING;
  // The stream has the same filter as the page, but not its position, period, limit and format.
  const address = location.with({
    after: null,
    occurred_after: null,
    occurred_before: null,
    limit: null,
    format: null,
  });
  return html`<section
    class="tail"
    data-tail="${address}"
    ${rightsOf(operation)}
    aria-labelledby="tail-title"
    hidden
  >
    <div class="over">
      <h2 id="tail-title">New events</h2>
      <button type="button" class="quiet" data-follow>Follow new events</button>
      <p role="status"></p>
      <a data-newest hidden>The newest events as a page</a>
    </div>
    <p class="field">
      <label for="tail-search">Keep only events with these words</label>
      <input id="tail-search" type="search" autocomplete="off" maxlength="100" />
      <small
        >The words are compared with the type, with the resource and its id (such as <code>order 12</code>),
        and with the actor.</small
      >
    </p>
    <ol aria-label="New events"></ol>
    <p class="none" data-none hidden>No event yet.</p>
  </section>`;
}
