import { csv } from './csv.js';
import type { Format } from './format.js';
import { html } from './html.js';
import { json } from './json.js';
import { ndjson } from './ndjson.js';
import { xml } from './xml.js';
import { yaml } from './yaml.js';

/** All formats. If `Accept` prefers none of them, the first format that the operation offers is used. */
export const FORMATS: readonly Format[] = [json, xml, yaml, html, csv, ndjson];

const BY_NAME = new Map(FORMATS.map((format) => [format.name, format]));
const BY_MEDIA_TYPE = new Map(FORMATS.map((format) => [format.mediaType, format]));

export function formatNamed(name: string): Format | undefined {
  return BY_NAME.get(name);
}

export function formatOf(mediaType: string): Format | undefined {
  return BY_MEDIA_TYPE.get(mediaType);
}
