import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { differences, grown, type NormalForm } from '../../testkit/contract/normal-form.ts';
import { publishedBreaks, publishedForm, v1Form, type Published } from '../../testkit/contract/recorded.ts';
import type { Contracts } from './mutants.ts';

const FOLDER = 'test/engine/contract';
const FILES = { published: 'published.json', v1: 'v1-contract.json' } as const;

/** The recorded contracts of a project. */
export class Records {
  readonly #published: Published;
  readonly #v1: NormalForm;

  private constructor(published: Published, v1: NormalForm) {
    this.#published = published;
    this.#v1 = v1;
  }

  /** @param top the folder of the project */
  static async in(top: string): Promise<Records> {
    const [published, v1] = await Promise.all(
      [FILES.published, FILES.v1].map(
        async (name) => JSON.parse(await readFile(join(top, FOLDER, name), 'utf8')) as unknown,
      ),
    );
    return new Records(published as Published, v1 as NormalForm);
  }

  /** The changes of recorded parts. A new part is no such change. */
  breaks({ openapi, sdl }: Contracts): readonly string[] {
    const document = parse(openapi) as Record<string, unknown>;
    const { breaking } = differences(this.#v1, v1Form(document));
    return [...publishedBreaks(this.#published, publishedForm(document, sdl)), ...breaking];
  }

  /**
   * Records the new parts of these contracts, as `npm run record:published` and `npm run record:v1` do. Then the
   * records notice no new part. So another stage must notice a new part that the service does not have.
   *
   * @param top the folder in which the records are written
   */
  async write(top: string, { openapi, sdl }: Contracts): Promise<void> {
    const document = parse(openapi) as Record<string, unknown>;
    const now = {
      [FILES.published]: publishedForm(document, sdl),
      [FILES.v1]: grown(this.#v1, v1Form(document)),
    };
    for (const [name, record] of Object.entries(now))
      await writeFile(join(top, FOLDER, name), JSON.stringify(record));
  }
}
