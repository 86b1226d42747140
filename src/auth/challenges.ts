import type { IncomingHttpHeaders } from 'node:http';
import { SCHEMES, type Scheme } from '../generated/operations.js';

const CHALLENGES: Readonly<Record<Scheme, string>> = {
  apiKey: 'ApiKey realm="store", header="X-API-Key"',
  oauth: 'Bearer realm="store"',
  jwt: 'Bearer realm="store"',
  basic: 'Basic realm="store", charset="UTF-8"',
};

/**
 * What `WWW-Authenticate` says with 401: all schemes of the contract. To the scripts of a page Basic is not offered, since
 * the browser would ask for a password over the page, in a window of its own.
 */
export function challengesFor({ 'sec-fetch-dest': destination }: IncomingHttpHeaders): string {
  const offered = SCHEMES.filter((scheme) => scheme !== 'basic' || destination !== 'empty');
  return [...new Set(offered.map((scheme) => CHALLENGES[scheme]))].join(', ');
}
