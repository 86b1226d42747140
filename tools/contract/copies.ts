import { createHash } from 'node:crypto';

/** The path of `copies.json` in the project. */
export const COPIES = 'tools/contract/copies.json';

/**
 * The summaries and descriptions that `npm run contract` copied, by their places, such as `Query.product`. The file
 * `copies.json` holds a hash of each. If the source changes, and the copy still has its hash, the copy changes too. A
 * text with another hash was written by an author. It stays, and is no copy any more.
 */
export class Copies {
  readonly #known: ReadonlyMap<string, string>;
  readonly #found = new Map<string, string>();

  /** @param text of `copies.json` */
  constructor(text = '{}') {
    this.#known = new Map(Object.entries(JSON.parse(text) as Record<string, string>));
  }

  /**
   * Whether the text at a place is a copy of an older text of its source. If the text is such a copy, or equals the
   * present text of the source, the present text of the source is recorded.
   *
   * @param source the present text of the source
   */
  isOld(place: string, text: string, source: string): boolean {
    const [own, wanted] = [hashOf(text), hashOf(source)];
    const isOld = own !== wanted && this.#known.get(place) === own;
    if (isOld || own === wanted) this.#found.set(place, wanted);
    else this.#found.delete(place);
    return isOld;
  }

  /** The text of `copies.json`, with the hashes of the copies that were passed to `isOld`. */
  toString(): string {
    const sorted = [...this.#found].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
  }
}

/** Line breaks make no difference to the hash, because Prettier changes them. */
function hashOf(text: string): string {
  return createHash('sha256').update(text.replaceAll(/\s+/g, ' ').trim()).digest('hex').slice(0, 8);
}
