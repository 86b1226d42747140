import { visit, type ASTNode, type DocumentNode } from 'graphql';

const MOST_BYTES = 30 * 1_048_576;
/** The number of places for the hashes of texts, a power of two. */
const PLACES = 4096;

interface Kept {
  readonly document: DocumentNode;
  readonly bytes: number;
  /** Whether the text was used since it was added, or since `makeRoomFor` has passed over it. */
  isUsed: boolean;
}

/**
 * The parsed and validated texts. A text is kept when it is set for the second time. Many clients write values into
 * their texts, and such a text comes only once. If its tree were kept, it would soon be garbage of the old generation,
 * which V8 collects late. The oldest text that was not used lately is removed first ("second chance"). The size of a
 * text and the size of its tree both count, so that long comments cannot fill the memory.
 */
export class ParsedTexts {
  /** A use of a text does not change the map. If it did, V8 would make new tables for the map, and free them late. */
  private readonly kept = new Map<string, Kept>();
  /** The hashes of the texts that were set lately. Each hash has one possible place in this array. */
  private readonly hashes = new Int32Array(PLACES);
  private bytes = 0;

  get(text: string): DocumentNode | undefined {
    const kept = this.kept.get(text);
    if (kept === undefined) return undefined;
    kept.isUsed = true;
    return kept.document;
  }

  set(text: string, document: DocumentNode): void {
    forgetPlaces(document);
    if (!this.wasSet(text)) return;
    this.bytes -= this.kept.get(text)?.bytes ?? 0;
    this.kept.delete(text);
    const bytes = bytesOf(document);
    this.makeRoomFor(bytes);
    this.kept.set(text, { document, bytes, isUsed: false });
    this.bytes += bytes;
  }

  /**
   * Whether a text was set before, as far as the hashes show. A text with the hash of another text may be kept when it
   * is set for the first time. A text whose hash was replaced by another hash is kept later. Both cost only time.
   */
  private wasSet(text: string): boolean {
    const hash = hashOf(text);
    const place = hash & (PLACES - 1);
    if (this.hashes[place] === hash) return true;
    this.hashes[place] = hash;
    return false;
  }

  /** A text that was used is passed over once: it goes to the end, so the loop meets it again after all others. */
  private makeRoomFor(bytes: number): void {
    for (const [oldest, kept] of this.kept) {
      if (this.bytes + bytes <= MOST_BYTES) return;
      this.kept.delete(oldest);
      if (kept.isUsed) this.kept.set(oldest, { ...kept, isUsed: false });
      else this.bytes -= kept.bytes;
    }
  }
}

/** FNV-1a of the UTF-16 code units. It takes about 1 ns for each of at most 65,536 characters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}

/**
 * Estimates the memory of a document. A token takes about two characters, and becomes nodes, locations and a link:
 * about 500 bytes. There are 2000 tokens at most.
 */
function bytesOf({ loc }: DocumentNode): number {
  const { length } = loc?.source.body ?? '';
  return length + Math.min(length, 4000) * 250;
}

/**
 * graphql-js finds the line of each error by counting from the beginning of the text, and each row of a result may have
 * an error.
 */
const MOST_LINES = 200;

/**
 * Removes the locations from a text of more than `MOST_LINES` lines. The errors of its execution then have a path, but
 * no locations. The text itself stays with the document.
 */
function forgetPlaces(document: DocumentNode): void {
  const lines = document.loc?.source.body.split(/\r\n|\r|\n/).length ?? 0;
  if (lines <= MOST_LINES) return;
  visit(document, {
    enter: (node: ASTNode) => {
      if (node !== document) delete (node as { loc?: unknown }).loc;
    },
  });
}
