/** The file cannot be imported as it is. The message tells the visitor why. */
export class Unreadable extends Error {}

/** The most characters of a row. The service has a smaller bound. */
const MOST_ROW = 1_000_000;

/**
 * Turns a list of objects in JSON into rows of NDJSON, chunk by chunk. The class only finds the end of each object. The
 * service checks the objects.
 */
export class JsonRows {
  private text = '';
  /** The index in `text` up to which the text was read. */
  private at = 0;
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  private isOver = false;
  private rows = 0;

  /** @param begin the number of characters up to the first `[`, including this character */
  constructor(private begin: number) {}

  /** The rows that end in this chunk of the file. @throws Unreadable */
  add(chunk: string): string {
    const skipped = Math.min(this.begin, chunk.length);
    this.begin -= skipped;
    this.text += chunk.slice(skipped);
    let start = 0;
    let found = '';
    for (; this.at < this.text.length && !this.isOver; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (this.isInText) {
        if (this.isEscaped) this.isEscaped = false;
        else if (code === 0x5c) this.isEscaped = true;
        else if (code === 0x22) this.isInText = false;
        continue;
      }
      if (code === 0x22) this.isInText = true;
      else if (code === 0x7b || code === 0x5b) this.depth += 1;
      else if (this.depth > 0 && (code === 0x7d || code === 0x5d)) this.depth -= 1;
      else if (this.depth === 0 && (code === 0x2c || code === 0x5d)) {
        found += this.row(this.text.slice(start, this.at));
        start = this.at + 1;
        this.isOver = code === 0x5d;
      }
    }
    this.text = this.isOver ? '' : this.text.slice(start);
    this.at = this.text.length;
    if (this.text.length > MOST_ROW) throw new Unreadable(`Row ${this.rows + 1} of the file is too long.`);
    return found;
  }

  /** @throws Unreadable if the list has no end */
  end(): void {
    if (this.isOver) return;
    throw new Unreadable(
      `The list in the file has no end (rows that were read: ${this.rows}). The file may be cut off.`,
    );
  }

  private row(text: string): string {
    const row = text.replaceAll(/[\r\n]+/g, ' ').trim();
    if (row === '') return '';
    this.rows += 1;
    return `${row}\n`;
  }
}
