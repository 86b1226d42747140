import { ANSWERS } from './docs-sign-in.js';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
new BroadcastChannel(ANSWERS).postMessage(location.search);
// The code is of use once only, but it need not stay in the address.
history.replaceState(null, '', location.pathname);
// A browser refuses this where it does not count the window as opened by a script; then the page says what to do.
close();
