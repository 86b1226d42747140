/*
 * The pages for browsing are complete without their script. So the browser paints the page first, and then loads the
 * script. If the visitor is signed in, the script has to request the page again with the credential, so the script is
 * loaded at once. `paintedFirst` in tools/build-pages.ts puts this file into the page.
 */

const { load: address } = (document.currentScript as HTMLScriptElement).dataset;
const load = (): void => void import(/* @vite-ignore */ address as string);
// The pages keep the session, and what a visitor has typed, in this storage. Browsers do not paint a page that is not
// visible.
if (sessionStorage.length > 0 || document.hidden) load();
else requestAnimationFrame(() => setTimeout(load));
