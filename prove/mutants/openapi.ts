import { isMap, isSeq } from 'yaml';
import { keysOf, type Known } from './changes.ts';
import type { Candidate, Candidates } from './edit.ts';
import { OPERATION_CHANGES } from './operation-changes.ts';
import { SCHEMA_CHANGES } from './schema-changes.ts';
import { textOf, Yaml, type Site } from './yaml.ts';

/** All changes of openapi.yaml that a mutant can have, by their kinds. A kind of change is called an operator. */
export function openapiCandidates(text: string): Candidates {
  const yaml = new Yaml(text);
  const known = knownOf(yaml);
  return Object.fromEntries(
    Object.entries({ ...SCHEMA_CHANGES, ...OPERATION_CHANGES }).map(([name, rule]) => [
      name,
      yaml.sites.flatMap((site): Candidate[] =>
        rule(site, yaml, known)
          .filter(({ edit: { start, end, text: other } }) => text.slice(start, end) !== other)
          .map((change) => ({ ...change, place: placeOf(yaml, site) })),
      ),
    ]),
  );
}

function knownOf(yaml: Yaml): Known {
  const names = (kind: string) => {
    const map = yaml.root.getIn(['components', kind]);
    return isMap(map) ? keysOf(map) : [];
  };
  const values = new Map<string, string[]>();
  for (const { key, value } of yaml.sites) {
    const text = textOf(value);
    if (key.startsWith('x-') && text !== undefined) values.set(key, [...(values.get(key) ?? []), text]);
  }
  const operations = yaml.sites
    .filter(({ key, path }) => key === 'operationId' && path[0] === 'paths' && path.length === 4)
    .map(({ value }) => String(textOf(value)));
  const scopes = yaml.root.getIn(['components', 'securitySchemes', 'apiKey', 'x-scopes'], true);
  return {
    schemas: names('schemas'),
    parameters: names('parameters'),
    headers: names('headers'),
    scopes: isSeq(scopes) ? scopes.items.map((item) => String(textOf(item))) : [],
    operations,
    values: new Map([...values].map(([key, list]) => [key, [...new Set(list)]])),
  };
}

/** The place of a change, for the report: `ProductCreate.price` in a schema, `getProduct 200` in an operation. */
function placeOf(yaml: Yaml, { path }: Site): string {
  const [top, kind = '', name = ''] = path;
  const rest = (from: number) =>
    path.slice(from, -1).filter((step) => step !== 'properties' && step !== 'responses');
  if (top === 'components') return [`${kind === 'schemas' ? '' : `${kind}/`}${name}`, ...rest(3)].join('.');
  if (top !== 'paths') return path.slice(0, -1).join('.');
  const id = textOf(yaml.root.getIn(['paths', kind, name, 'operationId'], true));
  return id === undefined ? [kind, ...rest(2)].join(' ') : [id, ...rest(3)].join(' ');
}
