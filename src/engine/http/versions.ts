import type { HttpConfig } from '../config/slices.js';
import { OPERATIONS, type Version } from '../../generated/operations.js';

/** The version that can end, and its successor. */
export const OLD = 'v1' satisfies Version;
export const SUCCESSOR = 'v2' satisfies Version;

type End = Pick<HttpConfig, 'v1Sunset'>;

const VERSIONS = [...new Set(Object.values(OPERATIONS).map(({ version }) => version))].filter(
  (version) => version !== null,
);

export function isOldEnded({ v1Sunset }: End): boolean {
  return v1Sunset !== null && Date.now() >= v1Sunset.getTime();
}

/** The versions that are served at this moment. */
export function servedVersions(end: End): readonly Version[] {
  return isOldEnded(end) ? VERSIONS.filter((version) => version !== OLD) : VERSIONS;
}

/** The version of examples in pages: the old version, which is the simpler one, until it has ended. */
export function shownVersion(end: End): typeof OLD | typeof SUCCESSOR {
  return isOldEnded(end) ? SUCCESSOR : OLD;
}
