/** The file cannot be imported as it is. The message tells the visitor why. */
export class Unreadable extends Error {}

/** The maximum length of a row, and of the text after a list. The service has a smaller bound for a row. */
const MOST_ROW = 1_000_000;
/** The number of characters that a message shows of the text after a list. */
const MOST_SHOWN = 40;

/**
 * Turns a list of objects in JSON into rows of NDJSON, chunk by chunk. The class only finds the end of each object. The
 * service checks the objects.
 */
export class JsonRows {
  /** The text before the rows: `[`, or `{"data":[`. */
  private opening = '';
  private text = '';
  /** The index in `text` up to which the text was read. */
  private at = 0;
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  private isOver = false;
  private rows = 0;

  /** @param begin the number of characters up to the first `[`, including this character */
  constructor(private readonly begin: number) {}

  /** The rows that end in this chunk of the file. @throws Unreadable */
  add(chunk: string): string {
    const skipped = Math.min(this.begin - this.opening.length, chunk.length);
    this.opening += chunk.slice(0, skipped);
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
    this.text = this.text.slice(start);
    if (this.isOver) this.checkRest();
    else if (this.text.length > MOST_ROW)
      throw new Unreadable(`Row ${this.rows + 1} of the file is too long.`);
    this.at = this.text.length;
    return found;
  }

  /** @throws Unreadable if the list has no end, or if other text follows it */
  end(): void {
    if (!this.isOver || (this.isInObject && this.text === '')) {
      throw new Unreadable(
        `The list in the file has no end (rows that were read: ${this.rows}). The file may be cut off.`,
      );
    }
    if (this.isInObject && !isObjectWithoutRows(`${this.opening}]${this.text}`)) throw this.otherText();
  }

  private get isInObject(): boolean {
    return this.opening.trim() !== '[';
  }

  /** Only the object that contains the list may go on after the list. `end` checks the text of this object. */
  private checkRest(): void {
    this.text = this.text.trimStart();
    if (this.text.length > (this.isInObject ? MOST_ROW : 0)) throw this.otherText();
  }

  private otherText(): Unreadable {
    const rest = this.text.trim();
    const shown = rest.length > MOST_SHOWN ? `${rest.slice(0, MOST_SHOWN)}…` : rest;
    return new Unreadable(
      `The list in the file ends after row ${this.rows}, but other text follows: “${shown}”. Put all rows into one list, and remove all other text.`,
    );
  }

  private row(text: string): string {
    const row = text.replaceAll(/[\r\n]+/g, ' ').trim();
    if (row === '') return '';
    this.rows += 1;
    return `${row}\n`;
  }
}

/** Whether a text is an object in JSON whose list `data` is empty. If `data` occurs twice, the last one counts. */
function isObjectWithoutRows(text: string): boolean {
  try {
    return (JSON.parse(text.trim()) as { readonly data: readonly unknown[] }).data.length === 0;
  } catch {
    return false;
  }
}
