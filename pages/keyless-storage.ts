import type { Storage } from '@graphiql/toolkit';

const WITH_HEADERS = /:(queries|favorites)$/;

/**
 * Stores the tabs and the history of GraphiQL, but not the headers of executed operations. A header may contain a key,
 * and no key may stay in the browser when the page is closed. GraphiQL itself stores no headers of tabs, but it would
 * store them in the history.
 */
export const keylessStorage: Storage = {
  getItem: (name) => localStorage.getItem(name),
  setItem: (name, value) =>
    localStorage.setItem(name, WITH_HEADERS.test(name) ? withoutHeaders(value) : value),
  removeItem: (name) => localStorage.removeItem(name),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length;
  },
};

function withoutHeaders(json: string): string {
  return JSON.stringify(JSON.parse(json), (name, value: unknown) => (name === 'headers' ? undefined : value));
}
