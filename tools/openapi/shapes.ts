import { isObject, member, textOf, type Json, type Node } from '../json.ts';
import { INT32, narrow, SHAPE_DEFAULTS, SAFE, type Bounds, type Dto, type Shape } from '../shape.ts';
import type { Document } from './document.ts';
import { flatten, type Flat } from './flat.ts';
import { FORMATS, TYPES } from './keywords.ts';
import { objectOf } from './objects.ts';
import type { ShapeReader } from './shape-reader.ts';
import { unionOf } from './unions.ts';

/** The keywords that apply to each kind of value. */
const FITTING: Readonly<Record<string, RegExp>> = {
  string: /^(minLength|maxLength|patterns)$/,
  integer: /^(minimum|maximum|exclusive.*|multipleOf)$/,
  number: /^(minimum|maximum|exclusive.*|multipleOf)$/,
  boolean: /^$/,
  array: /^(minItems|maxItems|uniqueItems)$/,
  map: /^(minProperties|maxProperties)$/,
  object: /^(minProperties|maxProperties)$/,
};

/**
 * Turns schemas into shapes, and their objects into classes to be generated. Refuses schemas that cannot be checked
 * exactly.
 */
export class Shapes implements ShapeReader {
  readonly document: Document;
  readonly use: 'request' | 'answer';
  readonly dtos = new Map<string, Dto>();
  readonly #sources = new Map<string, string>();

  constructor(document: Document, use: 'request' | 'answer') {
    this.document = document;
    this.use = use;
  }

  of(nodes: readonly Node[], name: string): Shape | undefined {
    const flat = flatten(this.document, nodes);
    if (flat === undefined) return undefined;
    if (nodes.some((node) => member(node, 'anyOf') !== undefined)) {
      this.document.fault(flat.at, 'anyOf is supported in answers only; use oneOf with a discriminator');
      return undefined;
    }
    const shape = flat.oneOf.length > 0 ? unionOf(this, flat, name) : this.#simple(flat, name);
    return shape === undefined ? undefined : { ...shape, ...this.#words(flat) };
  }

  claim(name: string, source: Node): boolean {
    const other = this.#sources.get(name);
    if (other === undefined) this.#sources.set(name, source.at);
    else if (other !== source.at) {
      this.document.fault(source, `the class name ${name} is taken by ${this.document.place(other)}`);
    }
    return other === undefined;
  }

  #words(flat: Flat): Partial<Shape> {
    return {
      readOnly: flat.readOnly,
      description: flat.description,
      enumNames: flat.enumNames,
      default: flat.default?.value,
    };
  }

  #simple(flat: Flat, name: string): Shape | undefined {
    const types = flat.types ?? inferred(flat);
    const fault = (text: string): undefined => this.document.fault(flat.at, text);
    if (types === null) return fault('the type is not stated');
    const [type, ...others] = types.filter((other) => other !== 'null');
    if (type === undefined) return fault('only null satisfies this schema');
    // This `type` is not a type of JSON. The check of the keywords has reported this already.
    if (!TYPES.has(type)) return undefined;
    if (others.length > 0)
      return fault(`only one type, and null beside it, is supported, not ${types.join(', ')}`);
    const values = flat.values?.filter((value) => value !== null) ?? null;
    const nullable = types.includes('null') && (flat.values === null || flat.values.includes(null));
    if (!this.#valuesFit(flat, type, values)) return undefined;
    const kind = type === 'object' && isMap(flat) ? 'map' : (type as Shape['kind']);
    const bounds = this.#bounds(flat, kind);
    const inner = kind === 'map' ? flat.further.map(({ rule }) => rule) : flat.items;
    if (kind === 'array' && inner.length === 0) return fault('an array must say what its items are');
    const items = kind === 'array' || kind === 'map' ? this.of(inner, `${name}Item`) : null;
    if (items === undefined) return undefined;
    const dto = kind === 'object' ? objectOf(this, flat, name) : null;
    return {
      ...SHAPE_DEFAULTS,
      place: this.document.place(flat.at),
      kind,
      nullable,
      bounds,
      messages: flat.messages,
      values: values as Shape['values'],
      format: flat.formats[0] ?? null,
      items,
      dto,
      tie: textOf(member(flat.component ?? flat.at, 'x-graphql')) ?? null,
    };
  }

  #valuesFit(flat: Flat, type: string, values: readonly Json[] | null): boolean {
    if (values === null) return true;
    const fits = (value: Json): boolean => typeof value === (type === 'integer' ? 'number' : type);
    if (values.length === 0) this.document.fault(flat.at, 'no value satisfies this schema');
    else if (['array', 'object'].includes(type))
      this.document.fault(flat.at, 'enum and const of lists or objects are not supported');
    else if (!values.every(fits))
      this.document.fault(flat.at, `enum or const has values that are not of the type ${type}`);
    else return true;
    return false;
  }

  #bounds(flat: Flat, kind: string): Bounds {
    for (const name of Object.keys(flat.bounds)) {
      if (!FITTING[kind]?.test(name))
        this.document.fault(flat.at, `${keyword(name)} does not apply to a ${kind}`);
    }
    if (flat.formats.length > 1)
      this.document.fault(flat.at, `two formats contradict each other: ${flat.formats.join(', ')}`);
    const format = flat.formats[0];
    if (format !== undefined && !FORMATS.get(format)?.includes(kind)) {
      this.document.fault(flat.at, `the format ${format} does not apply to a ${kind}`);
    }
    const bounds = kind === 'integer' ? narrow(flat.bounds, format === 'int32' ? INT32 : SAFE) : flat.bounds;
    for (const end of ['imum', 'Length', 'Items', 'Properties']) {
      const [least, most] = [`min${end}`, `max${end}`].map(
        (name) => (bounds as Record<string, number>)[name],
      );
      if (least !== undefined && most !== undefined && least > most) {
        this.document.fault(flat.at, `the bounds allow no value: ${least} to ${most}`);
      }
    }
    return bounds;
  }
}

function keyword(name: string): string {
  return name === 'patterns' ? 'pattern' : name;
}

function isMap(flat: Flat): boolean {
  return flat.properties.size === 0 && flat.further.some(({ rule }) => isObject(rule.value));
}

/** `enum` and `const` give the type when all their values are of one type. */
function inferred(flat: Flat): readonly string[] | null {
  if (flat.values === null) return null;
  const types = new Set(flat.values.map((value) => (value === null ? 'null' : typeof value)));
  return [...types];
}
