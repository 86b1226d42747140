import { visit, type ASTNode, type DocumentNode } from 'graphql';

const MOST_BYTES = 30 * 1_048_576;

/**
 * The parsed and validated texts. The least recently used text is removed first. The size of a text and the size of its
 * tree both count, so that long comments cannot fill the memory.
 */
export class ParsedTexts {
  private readonly kept = new Map<string, DocumentNode>();
  private bytes = 0;

  get(text: string): DocumentNode | undefined {
    const document = this.kept.get(text);
    if (document) {
      this.kept.delete(text);
      this.kept.set(text, document);
    }
    return document;
  }

  set(text: string, document: DocumentNode): void {
    forgetPlaces(document);
    this.delete(text);
    this.kept.set(text, document);
    this.bytes += bytesOf(document);
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= MOST_BYTES) break;
      this.delete(oldest);
    }
  }

  private delete(text: string): void {
    const document = this.kept.get(text);
    if (document) this.bytes -= bytesOf(document);
    this.kept.delete(text);
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
