import { ANSWERS } from './docs-sign-in.js';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
new BroadcastChannel(ANSWERS).postMessage(location.search);
// The code can be used only once. Still, the script removes it from the address.
history.replaceState(null, '', location.pathname);
// A browser closes only a window that a script has opened. In any other window, the text of the page says what to do.
close();
