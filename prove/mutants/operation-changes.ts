import { isMap, isSeq, type Node, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { after, changed, flip, keysOf, less, reference, removal, type Rule } from './changes.ts';
import { textOf, valueOf, type Yaml } from './yaml.ts';

const OWNERS = ['path.id', 'row.user_id', 'row.id', 'body.user_id'];
const OTHER_STATUS: Readonly<Record<string, string>> = { 200: '202', 201: '200', 204: '205', 404: '402' };
/** Extensions that have an operator of their own. */
const HAVE_OWN = /^x-(cost|owner|graphql|graphql-enum|untied|differs|scopes)$/;

/** The possible changes of an operation, of its parameters and responses, and of extensions, by kind. */
export const OPERATION_CHANGES: Readonly<Record<string, Rule>> = {
  statuses: ({ key, value, path }, yaml) => {
    if (path[0] !== 'paths' || key !== 'responses' || !isMap(value)) return [];
    const responses = value;
    const isFree = !responses.has('402');
    return [
      ...keysOf(responses).flatMap((status, at) => {
        const other = OTHER_STATUS[status];
        const node = (responses.items[at] as Pair<Scalar, Node>).key;
        return [
          changed(`${status} is gone`, yaml.removed(responses, at)),
          ...(other === undefined || responses.has(other)
            ? []
            : [changed(`${status} → ${other}`, yaml.replaced(node, `'${other}'`))]),
        ];
      }),
      ...(isFree
        ? [
            changed(
              '402 is new',
              yaml.inserted(responses, "'402': { $ref: '#/components/responses/NotFound' }"),
            ),
          ]
        : []),
    ];
  },
  headers: (site, yaml, { headers }) => {
    const { key, value, path } = site;
    if (key !== 'headers' || path[1] === 'headers' || !isMap(value)) return [];
    const map = value;
    const names = keysOf(map);
    const other = headers.find((name) => !names.includes(name)) ?? 'Sunset';
    return [
      ...names.flatMap((name, at) => {
        const wrong = after(headers, name);
        const node = (map.items[at] as Pair<Scalar, Node>).value as Node;
        return [
          changed(`${name} is gone`, less(site, at, yaml)),
          changed(`${name} → the schema of ${wrong}`, yaml.replaced(node, reference('headers', wrong))),
        ];
      }),
      changed(`${other} is new`, yaml.inserted(map, `${other}: ${reference('headers', other)}`)),
    ];
  },
  'media types': ({ key, value }, yaml) => {
    if (key !== 'content' || !isMap(value)) return [];
    const map = value;
    const first = (map.items[0] as { value: { range: [number, number, number] } }).value;
    const schema = yaml.text.slice(first.range[0], first.range[1]);
    return [
      ...(map.items.length > 1
        ? keysOf(map).map((type, at) => changed(`${type} is gone`, yaml.removed(map, at)))
        : []),
      ...(map.has('text/csv') || schema.includes('\n')
        ? []
        : [
            changed('text/csv is new', yaml.inserted(map, `text/csv: { ${schema.replace(/^\{|\}$/g, '')} }`)),
          ]),
    ];
  },
  scopes: ({ key, value, path, index }, yaml, { scopes }) => {
    if (key === 'x-scopes' && isSeq(value))
      return value.items.map((item, at) =>
        changed(`x-scopes: without ${String(textOf(item))}`, yaml.removed(value, at)),
      );
    if (path[1] === 'securitySchemes' && path.at(-2) === 'scopes')
      return [changed(`scopes: without ${key}`, yaml.removed(siteMap(yaml, path), index))];
    if (key !== 'security' || path[0] !== 'paths' || !isSeq(value)) return [];
    const ways = value as YAMLSeq<YAMLMap>;
    if (ways.items.length === 0)
      return [changed('security: [] → admin', yaml.replaced(ways, '[{ apiKey: [admin] }]'))];
    return [
      changed('security → []', yaml.replaced(ways, '[]')),
      ...ways.items.flatMap((way, at) => [
        changed(`security: without ${keysOf(way).join()}`, yaml.removed(ways, at)),
        ...way.items.flatMap(({ key: scheme, value: list }) =>
          (list as YAMLSeq).items.map((item) => {
            const other = after(scopes, String(textOf(item)));
            const what = `security: ${String(valueOf(scheme))} with ${other} instead of ${String(textOf(item))}`;
            return changed(what, yaml.replaced(item as never, other));
          }),
        ),
      ]),
    ];
  },
  owners: ({ key, value, path, map, index }, yaml) => {
    if (key === 'x-owner') {
      const owner = String(textOf(value));
      return [
        removal(`x-owner: ${owner}`, map, index, yaml),
        ...OWNERS.filter((other) => other !== owner).map((other) =>
          changed(`x-owner: ${owner} → ${other}`, yaml.replaced(value, other)),
        ),
      ];
    }
    const isFree = key === 'operationId' && path[0] === 'paths' && path.length === 4 && !map.has('x-owner');
    return isFree ? [changed('x-owner: row.user_id is new', yaml.inserted(map, 'x-owner: row.user_id'))] : [];
  },
  costs: ({ key, value, path, map, index }, yaml) => {
    if (key === 'x-cost') {
      const cost = Number(valueOf(value));
      return [
        removal(`x-cost: ${cost}`, map, index, yaml),
        ...[cost + 1, cost * 2].map((other) =>
          changed(`x-cost: ${cost} → ${other}`, yaml.replaced(value, String(other))),
        ),
      ];
    }
    const isFree =
      !map.has('x-cost') &&
      ((key === 'in' && valueOf(value) === 'query') ||
        (key === 'operationId' && path[0] === 'paths' && path.length === 4));
    return isFree ? [changed('x-cost: 100 is new', yaml.inserted(map, 'x-cost: 100'))] : [];
  },
  ties: ({ key, value, path, map, index }, yaml, { values }) => {
    if (key === 'x-graphql') {
      const tie = String(valueOf(value));
      const other = after(values.get('x-graphql') ?? [], tie);
      return [
        removal(`x-graphql: ${tie}`, map, index, yaml),
        changed(`x-graphql: ${tie} → ${other}`, yaml.replaced(value, other)),
      ];
    }
    if (key === 'x-untied' || path.at(-2) === 'x-differs') return [removal(key, map, index, yaml)];
    if (path.at(-2) === 'x-graphql-enum') {
      const name = String(valueOf(value));
      const names = map.items.map((each) => String(valueOf(each.value)));
      const other = after(names, name);
      return [changed(`x-graphql-enum: ${key}: ${name} → ${other}`, yaml.replaced(value, other))];
    }
    const isFree =
      (key === 'type' && path.at(-3) === 'properties') || (key === 'operationId' && path.length === 4);
    return isFree && !map.has('x-untied')
      ? [changed('x-untied is new', yaml.inserted(map, 'x-untied: There is no such part.'))]
      : [];
  },
  parameters: (site, yaml, { parameters }) => {
    const { key, value, path, map, index } = site;
    if (key === 'parameters' && path[0] === 'paths' && isSeq(value)) {
      const list = value as YAMLSeq<YAMLMap>;
      const names = list.items.map((item) => (textOf(item.get('$ref', true)) ?? '').replace(/^.*\//, ''));
      const other = after(parameters, names.at(-1) ?? '');
      return [
        ...names.map((name, at) => changed(`${name} is gone`, less(site, at, yaml))),
        ...(names.includes(other)
          ? []
          : [changed(`${other} is new`, yaml.inserted(list, `$ref: '#/components/parameters/${other}'`))]),
      ];
    }
    if (path[1] !== 'parameters' || path.length !== 4) return [];
    const text = textOf(value);
    if (key === 'in' && text !== undefined) {
      const other = text === 'query' ? 'header' : 'query';
      return [changed(`in: ${text} → ${other}`, yaml.replaced(value, other))];
    }
    if (key === 'name') return [changed(`name: ${text} → colour`, yaml.replaced(value, 'colour'))];
    if (key === 'explode') return [flip(key, value as never, yaml), removal(key, map, index, yaml)];
    return [];
  },
  extensions: ({ key, value, path, map, index }, yaml, { values, operations }) => {
    if (key === 'operationId' && (path.includes('links') || path.includes('x-links'))) {
      const other = after(operations, String(textOf(value)));
      return [changed(`operationId: ${String(textOf(value))} → ${other}`, yaml.replaced(value, other))];
    }
    if (!key.startsWith('x-') || HAVE_OWN.test(key)) return [];
    const gone = removal(key, map, index, yaml);
    const own = valueOf(value);
    if (typeof own === 'boolean') return [gone, flip(key, value as never, yaml)];
    if (typeof own === 'number')
      return [gone, changed(`${key}: ${own} → ${own - 1}`, yaml.replaced(value, String(own - 1)))];
    if (typeof own !== 'string') return [gone];
    const other = after(values.get(key) ?? [], own);
    return [
      gone,
      ...(other === own
        ? []
        : [changed(`${key}: ${own} → ${other}`, yaml.replaced(value, JSON.stringify(other)))]),
    ];
  },
};

function siteMap(yaml: Yaml, path: readonly string[]): YAMLMap {
  return yaml.root.getIn(path.slice(0, -1)) as YAMLMap;
}
