import { visit, type ASTNode, type DocumentNode } from 'graphql';

const MOST_BYTES = 30 * 1_048_576;

/**
 * The parsed and validated texts. The texts that were not used for the longest time are removed first. The size of a text
 * and the size of its tree both count, so that long comments cannot fill the memory.
 */
export class ParsedTexts {
  /**
   * When `young` has no room for a text, it takes the place of `old`. So texts that are often requested stay. A map in
   * the order of use would need a change at each request, and V8 frees the parts of such a map late.
   */
  private young = new Map<string, DocumentNode>();
  private old = new Map<string, DocumentNode>();
  /** The size of `young`. */
  private bytes = 0;

  get(text: string): DocumentNode | undefined {
    const young = this.young.get(text);
    if (young) return young;
    const old = this.old.get(text);
    if (old) this.keep(text, old);
    return old;
  }

  set(text: string, document: DocumentNode): void {
    forgetPlaces(document);
    this.keep(text, document);
  }

  private keep(text: string, document: DocumentNode): void {
    const bytes = bytesOf(document);
    if (this.bytes + bytes > MOST_BYTES / 2) {
      this.old = this.young;
      this.young = new Map();
      this.bytes = 0;
    }
    this.young.set(text, document);
    this.bytes += bytes;
  }
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

/** If a text has more lines, its errors have a path, but no locations. The text itself stays with the document. */
function forgetPlaces(document: DocumentNode): void {
  const lines = document.loc?.source.body.split(/\r\n|\r|\n/).length ?? 0;
  if (lines <= MOST_LINES) return;
  visit(document, {
    enter: (node: ASTNode) => {
      if (node !== document) delete (node as { loc?: unknown }).loc;
    },
  });
}
