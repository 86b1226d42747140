import { visit, type ASTNode, type DocumentNode } from 'graphql';

const MOST_BYTES = 30 * 1_048_576;

/**
 * The store in which Apollo keeps parsed and validated texts. The least recently used text is removed first. Apollo's
 * own store does not count the text itself, so long comments could fill the memory. This one counts text and tree.
 */
export class ParsedTexts {
  private readonly kept = new Map<string, DocumentNode>();
  private bytes = 0;

  async get(key: string): Promise<DocumentNode | undefined> {
    const document = this.kept.get(key);
    if (document) {
      this.kept.delete(key);
      this.kept.set(key, document);
    }
    return document;
  }

  async set(key: string, document: DocumentNode): Promise<void> {
    forgetPlaces(document);
    await this.delete(key);
    this.kept.set(key, document);
    this.bytes += bytesOf(document);
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= MOST_BYTES) break;
      await this.delete(oldest);
    }
  }

  async delete(key: string): Promise<boolean> {
    const document = this.kept.get(key);
    if (document) this.bytes -= bytesOf(document);
    return this.kept.delete(key);
  }
}

/**
 * Estimates the memory of a document. A token takes two characters at least, and becomes nodes, locations and a link:
 * about 500 bytes. There are 2000 tokens at most.
 */
function bytesOf({ loc }: DocumentNode): number {
  const { length } = loc?.source.body ?? '';
  return length + Math.min(length, 4000) * 250;
}

/**
 * For each error of an execution graphql-js counts its line from the beginning of the text, and each row may have an
 * error.
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
