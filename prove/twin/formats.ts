import { readOpenApi, type Schema } from '../../testkit/contract/document.ts';
import { valueIn } from '../../testkit/contract/formats.ts';
import type { Values } from '../contract/values.ts';
import { requireThat } from '../options.ts';
import type { Doors } from './doors.ts';
import { pageIn } from '../../testkit/contract/page.ts';
import { MEDIA_TYPES } from '../contract/drafts.ts';

export type Format = 'json' | 'xml' | 'yaml' | 'html' | 'csv';

export const FORMATS = ['json', 'xml', 'yaml', 'html'] as const;

export interface Read {
  readonly way: string;
  /** Undefined when there is no such row. */
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the answers of REST, in any format, back to values. */
export class FormatsReader {
  readonly #doors: Doors;
  readonly #values: Values;
  readonly #schemas: ReadonlyMap<string, ReadonlyMap<string, Schema>>;

  constructor(doors: Doors, values: Values, openapi: string) {
    this.#doors = doors;
    this.#values = values;
    this.#schemas = new Map(
      readOpenApi(openapi)
        .filter(({ method }) => method === 'GET')
        .map(({ id, responses }) => [id, responses.get(200)?.content ?? new Map<string, Schema>()]),
    );
  }

  /** @param operation the id in the contract */
  async read(operation: string, target: string, format: Format | 'ndjson'): Promise<Read> {
    const media = MEDIA_TYPES[format] as string;
    const isNamed = this.#values.chance(0.5);
    // Each address below `/api/v1/` also has a short form, without `/v1`.
    const place = this.#values.chance(0.2) ? target.replace(/^\/api\/v1\//, '/api/') : target;
    const address = isNamed ? `${place}${place.includes('?') ? '&' : '?'}format=${format}` : place;
    const answer = await this.#doors.get(address, isNamed ? {} : { accept: media });
    const way = `GET ${address}${isNamed ? '' : ` as ${media}`}`;
    if (answer.status === 404) return { way, value: undefined, headers: answer.headers };
    const { status, headers, text } = answer;
    requireThat(status === 200, () => `${way} answers ${status}: ${text}`);
    requireThat(
      headers['content-type']?.startsWith(media) === true,
      () => `${way} comes as ${headers['content-type']}`,
    );
    const schema = this.#schemas.get(operation)?.get(media);
    if (!schema) throw new Error(`openapi.yaml has no ${media} of ${operation}.`);
    return { way, value: format === 'html' ? pageIn(text) : valueIn(media, text, schema), headers };
  }
}
