import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { textOf } from './evaluate.ts';
import { TemplateError, templateOf, type Node } from './template.ts';

type Values = Readonly<Record<string, unknown>>;

/** An object of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [member: string]: unknown;
}

export interface Rendered {
  readonly manifests: readonly Manifest[];
  /** The text that Helm shows after an installation. */
  readonly notes: string;
}

/** The files of a chart by their paths. */
export type ChartFiles = Readonly<Record<string, string>>;

/** Reads the files of a chart in a folder. */
export function chartIn(folder: string): ChartFiles {
  const names = globSync('**/*.{yaml,json,tpl,txt}', { cwd: folder }).toSorted();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/**
 * Does what `helm template RELEASE` does, without Helm. See `docs/adr/0046-the-chart-and-its-checks.md` for the
 * reasons.
 *
 * @throws Error if a value is null, if the values do not match the schema, or if a template is wrong or makes a text
 *   that is not YAML
 */
export function rendered(chart: ChartFiles, release: string, given: Values): Rendered {
  const described = parse(chart['Chart.yaml'] ?? '') as Readonly<Record<string, unknown>>;
  const values = merged(parse(chart['values.yaml'] ?? '') as Values, given);
  refuseWrong(values, JSON.parse(chart['values.schema.json'] ?? '') as object);
  const names = Object.keys(chart).filter((name) => name.startsWith('templates/'));
  const templates = names.map((name) => ({ name, ...read(name, chart[name] ?? '') }));
  const defined = new Map<string, readonly Node[]>(templates.flatMap((each) => [...each.defined]));
  const data = {
    Values: values,
    Release: { Name: release, Namespace: 'default', Service: 'Helm' },
    Chart: { Name: described['name'], Version: described['version'], AppVersion: described['appVersion'] },
  };
  const texts = templates.map(({ name, nodes }) => {
    try {
      return { name, text: textOf(nodes, data, defined) };
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
  });
  const manifests = texts.filter(({ name }) => name.endsWith('.yaml')).flatMap(manifestsIn);
  return { manifests, notes: texts.find(({ name }) => name.endsWith('NOTES.txt'))?.text.trim() ?? '' };
}

function read(name: string, source: string): ReturnType<typeof templateOf> {
  try {
    return templateOf(source);
  } catch (error) {
    throw new Error(`${name}: ${(error as TemplateError).message}`, { cause: error });
  }
}

/** The objects in a YAML file with several documents. */
export function manifestsIn({ name, text }: { name: string; text: string }): Manifest[] {
  const documents = parseAllDocuments(text, { version: '1.1', uniqueKeys: true, strict: true });
  const list = Array.isArray(documents) ? documents : [];
  return list.flatMap((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw new Error(`${name}: ${fault.message}`);
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
}

/** Maps are merged, and all other values replaced. Helm gives null a meaning, which this chart does not use. */
function merged(values: Values, given: Values): Values {
  const result: Record<string, unknown> = { ...values };
  for (const [name, value] of Object.entries(given)) {
    if (value === null) throw new Error(`${name} is null`);
    result[name] = isMap(value) && isMap(values[name]) ? merged(values[name], value) : value;
  }
  return result;
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuseWrong(values: Values, schema: object): void {
  const check = new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false }).compile(
    schema,
  );
  if (check(values)) return;
  const faults = (check.errors ?? []).map(faultOf);
  throw new Error(`The values are not valid: ${[...new Set(faults)].join('; ')}`);
}

function faultOf({ instancePath, message = '', params }: ErrorObject): string {
  const more = 'additionalProperty' in params ? ` "${String(params['additionalProperty'])}"` : '';
  return `${instancePath.slice(1) || 'values'} ${message}${more}`;
}
