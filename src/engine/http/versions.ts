import type { HttpConfig } from '../config/slices.js';
import { OPERATIONS, type Version } from '../../generated/operations.js';

/** The version that can end. */
export const OLD = 'v1' satisfies Version;
/** The version that replaces the old version. */
export const SUCCESSOR = 'v2' satisfies Version;

/** `/api/v1/products`, `/api/products` and `/users/1`, but not `/api/v2/products`. */
const OLD_ADDRESS = /^\/(?:api(?:$|\/(?!v[2-9]))|users\/)/;

type End = Pick<HttpConfig, 'v1Sunset'>;

const VERSIONS = [...new Set(Object.values(OPERATIONS).map(({ version }) => version))]
  .filter((version) => version !== null)
  .toSorted();

export function isOldEnded({ v1Sunset }: End): boolean {
  return v1Sunset !== null && Date.now() >= v1Sunset.getTime();
}

/** Whether the answers at this address are those of the old version, which get no new members. */
export function isOfOld(path: string): boolean {
  return OLD_ADDRESS.test(path);
}

/** The versions that are served at this moment. */
export function servedVersions(end: End): readonly Version[] {
  return isOldEnded(end) ? VERSIONS.filter((version) => version !== OLD) : VERSIONS;
}

/** The version of the examples in pages: the old version until it has ended, because it is simpler. */
export function shownVersion(end: End): typeof OLD | typeof SUCCESSOR {
  return isOldEnded(end) ? SUCCESSOR : OLD;
}
