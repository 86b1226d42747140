/** ALPHA, DIGIT, "-", ".", "_" and "~" (RFC 3986, section 2.3), each percent-encoded. */
const UNRESERVED = /^%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)$/i;

/**
 * The path and the query of a request. The router and all steps read this one form, so that they never disagree on the
 * address.
 *
 * In the path, a percent-encoded unreserved character is decoded (RFC 3986, section 6.2.2.2), because the router would
 * decode it, and the steps would not. The query stays as it is. A fragment is removed: a target has none (RFC 9112,
 * section 3.2), and the router ends the path before it. An absolute URL (RFC 9112, section 3.2.2) is reduced to its
 * path and query, which mean the same.
 *
 * For a target without `%` and `#` this costs only two searches for a character.
 */
export function targetOf(url: string): string {
  const target = url.startsWith('/') ? url : withoutOrigin(url);
  return target.includes('%') || target.includes('#') ? normalised(target) : target;
}

function normalised(target: string): string {
  const [whole = ''] = target.split('#', 1);
  const end = whole.indexOf('?');
  return end === -1 ? decoded(whole) : decoded(whole.slice(0, end)) + whole.slice(end);
}

function decoded(path: string): string {
  if (!path.includes('%')) return path;
  // The router refuses a path with an incomplete code. If a part of the path were decoded, the path could become valid
  // (`%%36%31`).
  if (/%(?![\da-f]{2})/i.test(path)) return path;
  return path.replaceAll(/%../g, (code) =>
    UNRESERVED.test(code) ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : code,
  );
}

function withoutOrigin(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') || path === url ? path : `/${path}`;
}
