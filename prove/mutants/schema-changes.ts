import { isMap, isScalar, isSeq } from 'yaml';
import { after, changed, flip, keysOf, less, removal, type Rule } from './changes.ts';
import { textOf, valueOf } from './yaml.ts';

const OTHER_TYPE: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'string',
  string: 'integer',
  boolean: 'string',
};
const BOUNDS =
  /^(minimum|maximum|minLength|maxLength|minItems|maxItems|minProperties|maxProperties|multipleOf)$/;
const NEW_MEMBER =
  "colour: { type: string, maxLength: 9, pattern: '^[a-z]*$', description: The colour., examples: [red] }";

/** The possible changes of a schema or a parameter, by kind. */
export const SCHEMA_CHANGES: Readonly<Record<string, Rule>> = {
  types: ({ key, value, path, map, index }, yaml, { schemas }) => {
    if (path[1] === 'securitySchemes') return [];
    const type = textOf(isSeq(value) ? value.items[0] : value) ?? '';
    if (key === 'type' && Object.hasOwn(OTHER_TYPE, type)) {
      const node = isSeq(value) ? value.items[0] : value;
      return [
        changed(`type: ${type} → ${OTHER_TYPE[type]}`, yaml.replaced(node as never, OTHER_TYPE[type] ?? '')),
      ];
    }
    if (/^(readOnly|writeOnly|additionalProperties)$/.test(key) && typeof valueOf(value) === 'boolean')
      return [removal(key, map, index, yaml), flip(key, value as never, yaml)];
    if (key === 'format' && path.includes('schemas')) return [removal(key, map, index, yaml)];
    const name =
      key === '$ref' ? /^#\/components\/schemas\/(\w+)$/.exec(textOf(value) ?? '')?.[1] : undefined;
    if (name === undefined) return [];
    const other = after(schemas, name);
    return [changed(`$ref: ${name} → ${other}`, yaml.replaced(value, `'#/components/schemas/${other}'`))];
  },
  bounds: ({ key, value, map, index }, yaml) => {
    if (key === 'pattern' && isScalar(value)) {
      const source = yaml.text.slice(...(value.range ?? [0, 0]).slice(0, 2));
      const open = source.replace(/\$(?=['"]?$)/, '');
      return [
        removal('pattern', map, index, yaml),
        ...(open === source ? [] : [changed('pattern: without $ at its end', yaml.replaced(value, open))]),
      ];
    }
    if (key === 'uniqueItems') return [removal(key, map, index, yaml), flip(key, value as never, yaml)];
    const number = valueOf(value);
    if (!BOUNDS.test(key) || typeof number !== 'number') return [];
    const others = key === 'multipleOf' ? [number * 10] : [number + 1, ...(number > 0 ? [number - 1] : [])];
    return [
      removal(`${key}: ${number}`, map, index, yaml),
      ...others.map((each) => changed(`${key}: ${number} → ${each}`, yaml.replaced(value, String(each)))),
    ];
  },
  required: (site, yaml) => {
    const { key, value, map } = site;
    if (key === 'required' && isSeq(value)) {
      const names = value.items.map((item) => String(textOf(item)));
      const properties = map.get('properties');
      const optional = isMap(properties) ? keysOf(properties).filter((name) => !names.includes(name)) : [];
      return [
        ...names.map((name, at) => changed(`required: without ${name}`, less(site, at, yaml))),
        ...optional.map((name) => changed(`required: with ${name}`, yaml.inserted(value, name))),
      ];
    }
    if (key === 'required' && valueOf(value) === true) return [flip(key, value as never, yaml)];
    const isOptional = key === 'in' && !map.has('required');
    return isOptional ? [changed('required: true is new', yaml.inserted(map, 'required: true'))] : [];
  },
  nullability: ({ key, value, path }, yaml) => {
    if (key !== 'type' || path[1] === 'securitySchemes') return [];
    if (isSeq(value)) {
      const type = String(textOf(value.items[0]));
      return [changed(`type: [${type}, 'null'] → ${type}`, yaml.replaced(value, type))];
    }
    const type = textOf(value) ?? '';
    const text = `[${type}, 'null']`;
    return Object.hasOwn(OTHER_TYPE, type)
      ? [changed(`type: ${type} → ${text}`, yaml.replaced(value, text))]
      : [];
  },
  enums: ({ key, value }, yaml) => {
    if (key !== 'enum' || !isSeq(value)) return [];
    const list = value;
    return [
      ...(list.items.length > 1
        ? list.items.map((item, at) =>
            changed(`enum: without ${String(valueOf(item))}`, yaml.removed(list, at)),
          )
        : []),
      ...list.items.map((item) =>
        changed(`enum: ${String(valueOf(item))} → other`, yaml.replaced(item as never, 'other')),
      ),
      changed('enum: with other', yaml.inserted(list, 'other')),
    ];
  },
  defaults: ({ key, value, path, map, index }, yaml) => {
    const own = valueOf(value);
    // `default` is also the name of a response.
    if (key === 'default' && isScalar(value)) {
      const other = typeof own === 'number' ? own + 1 : typeof own === 'boolean' ? !own : 'other';
      return [
        removal(`default: ${String(own)}`, map, index, yaml),
        changed(`default: ${String(own)} → ${other}`, yaml.replaced(value, String(other))),
      ];
    }
    if (key !== 'type' || map.has('default') || path[1] === 'securitySchemes' || path[1] === 'headers')
      return [];
    const added = { boolean: 'true', integer: '2', number: '2' }[String(own)];
    return added === undefined
      ? []
      : [changed(`default: ${added} is new`, yaml.inserted(map, `default: ${added}`))];
  },
  members: ({ key, value }, yaml) => {
    if (key !== 'properties' || !isMap(value)) return [];
    const map = value;
    return [
      ...(map.items.length > 1
        ? keysOf(map).map((name, at) => changed(`${name} is gone`, yaml.removed(map, at)))
        : []),
      ...map.items.map(({ key: node }) =>
        changed(`${String(valueOf(node))} → colour`, yaml.replaced(node as never, 'colour')),
      ),
      changed('colour is new', yaml.inserted(map, NEW_MEMBER)),
    ];
  },
};
