import { randomBytes } from 'node:crypto';

export interface Limit {
  readonly policy: string;
  /** q and w of RateLimit-Policy, r and t of RateLimit. */
  readonly quota: number;
  readonly seconds: number;
  readonly left: number;
  readonly resetsIn: number;
}

const INTEGER = '(\\d{1,15})';
// An item of a list (RFC 9651): a string, then parameters that are integers.
const POLICY = new RegExp(`^"([a-z]+)";q=${INTEGER};w=${INTEGER}$`);
const STANDING = new RegExp(`^"([a-z]+)";r=${INTEGER};t=${INTEGER}$`);

/** What an answer says of the limit that it was counted for; null when it says nothing. */
export function limitIn(headers: Headers): Limit | null {
  const [policyField, standingField] = [headers.get('ratelimit-policy'), headers.get('ratelimit')];
  if (policyField === null && standingField === null) return null;
  const [, policy = '', quota, seconds] = POLICY.exec(policyField ?? '') ?? [];
  const [, name, left, resetsIn] = STANDING.exec(standingField ?? '') ?? [];
  if (name !== policy || resetsIn === undefined) {
    throw new Error(`These are no fields of a limit: ${policyField} and ${standingField}`);
  }
  return {
    policy,
    quota: Number(quota),
    seconds: Number(seconds),
    left: Number(left),
    resetsIn: Number(resetsIn),
  };
}

/** An address that no other test has. */
export function anAddress(): string {
  const [a = 0, b = 0, c = 0] = randomBytes(3);
  return `10.${a}.${b}.${c}`;
}
