import type { Storage } from '@graphiql/toolkit';

const WITH_HEADERS = /:(queries|favorites)$/;

/**
 * Stores the tabs and the history of GraphiQL, but without the headers of executed operations, because a key must not
 * stay in the browser when the page is closed. GraphiQL itself leaves headers out of tabs, but not out of the history.
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
