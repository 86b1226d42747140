/** The content codings that answers can have. The order decides between codings that a client weights equally. */
export const CODINGS = ['br', 'zstd', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

/** The codings that a client accepts (RFC 9110, section 12.5.3). */
export interface Codings {
  /** The coding with the highest weight; of equal weights, the first one in `CODINGS`. Null: no coding. */
  readonly best: Coding | null;
  /** Whether an answer without a coding is acceptable. */
  readonly identity: boolean;
  readonly taken: ReadonlySet<string>;
}

const MOST_HEADERS = 100;
const ANYTHING: Codings = { best: null, identity: true, taken: new Set() };
const read = new Map<string, Codings>();

/** The result of parsing a header is kept, because clients send only a few different headers. */
export function codingsIn(header: string | undefined): Codings {
  if (header === undefined) return ANYTHING;
  const known = read.get(header);
  if (known !== undefined) return known;
  const codings = parse(header);
  if (read.size >= MOST_HEADERS) read.clear();
  read.set(header, codings);
  return codings;
}

function parse(header: string): Codings {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [, name, weight = '1'] =
      /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/.exec(part) ?? [];
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight));
  }
  const others = weights.get('*');
  const weightOf = (name: string): number => weights.get(name) ?? others ?? 0;
  const [best] = CODINGS.filter((name) => weightOf(name) > 0).toSorted((a, b) => weightOf(b) - weightOf(a));
  const identity = weights.get('identity') ?? (others === 0 ? 0 : null);
  // If the header has neither `identity` nor `*;q=0`, an answer without a coding is acceptable, but every accepted
  // coding is preferred.
  const isIdentityBetter = best !== undefined && identity !== null && identity > weightOf(best);
  const taken = new Set(CODINGS.filter((name) => weightOf(name) > 0));
  return { best: isIdentityBetter ? null : (best ?? null), identity: identity !== 0, taken };
}
