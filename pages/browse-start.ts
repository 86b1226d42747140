import { session } from './session.js';

/*
 * These pages are complete without their script. So the browser paints the page first, and then loads the script. If
 * the visitor is signed in, the script has to request the page again with the credential, so the script is loaded at
 * once.
 */

const load = (): void => void import('./browse.js');
// Browsers do not paint a page that is not visible.
if (session() || document.hidden) load();
else requestAnimationFrame(() => setTimeout(load));
