import { input, one, tell } from './elements.js';
import { bytesOf, sizeOf } from './file-head.js';
import { Unreadable } from './json-rows.js';

/** A mapping file that the visitor gave. The service reads it, and says what is wrong with it. */
export interface Given {
  readonly name: string;
  readonly text: string;
}

/** A larger file is not read, because no mapping is so large. The service has a smaller bound. */
const MOST_BYTES = 65_536;

/** The field for a mapping file, which can replace the choices on the page. */
export class GivenMapping {
  private given: Given | null = null;

  /** @param changed is called when a file is given or removed */
  constructor(private readonly changed: () => void) {}

  follow(): void {
    const chooser = input('#mapping');
    chooser.addEventListener('change', () => {
      const file = chooser.files?.[0];
      if (file) void this.take(file);
      else this.remove();
    });
    one('#ungive').addEventListener('click', () => {
      this.remove();
      chooser.focus();
    });
  }

  get now(): Given | null {
    return this.given;
  }

  show(given: Given | null): void {
    this.given = given;
    // The field shows the name of the file, also after a new sign-in. The field contains a copy of the file. So if the
    // visitor changes the file and chooses it again, there is a `change` event.
    const files = new DataTransfer();
    if (given) files.items.add(new File([given.text], given.name));
    input('#mapping').files = files.files;
    tell('#mapping-fault', '');
    tell('#given-words', given === null ? '' : `${given.name} says how the members get their values.`);
    one('#given-now').hidden = given === null;
    one('#columns-step').classList.toggle('given', given !== null);
    if (given !== null) one('#given').setAttribute('open', '');
    // A typed source replaces the source that the file names, so the visitor should see the typed source.
    if (given !== null && input('#source').value !== '') one('#more').setAttribute('open', '');
    input('#source').placeholder = given === null ? 'store' : 'as in the mapping file';
  }

  private remove(): void {
    this.show(null);
    this.changed();
  }

  private async take(file: File): Promise<void> {
    try {
      const text = await textOf(file);
      this.show({ name: file.name, text });
      this.changed();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.remove();
      tell('#mapping-fault', error.message);
    }
  }
}

/** @throws Unreadable */
async function textOf(file: File): Promise<string> {
  if (file.size === 0) throw new Unreadable('The file is empty.');
  if (file.size > MOST_BYTES) {
    throw new Unreadable(
      `The file has ${sizeOf(file.size)}, which is too much for a mapping. Choose the file with the rules for the columns.`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await bytesOf(file, 0, file.size));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('The file is not UTF-8. Save it as UTF-8.');
  }
}
