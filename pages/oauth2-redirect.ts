import { ANSWERS } from './docs-sign-in.js';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
new BroadcastChannel(ANSWERS).postMessage(location.search);
// The code can be used only once, but it need not stay in the address.
history.replaceState(null, '', location.pathname);
// A browser refuses this for a window that it does not regard as opened by a script. Then the page says what to do.
close();
