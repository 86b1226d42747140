import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Schema } from './model.ts';

// An independent validator. The service validates by its own rules (src/rules).
const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 8 });
addFormats.default(ajv);

const compiled = new WeakMap<Schema, ValidateFunction>();

/** The fault of a value; null when it is valid. */
export function faultOf(schema: Schema, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'it' });
}

export function isValid(schema: Schema, value: unknown): boolean {
  return faultOf(schema, value) === null;
}

const merged = new WeakMap<Schema, Schema>();

/**
 * The schema with the parts of `allOf` merged into its own level. Use the merged schema to look up members, and the
 * original schema to validate values.
 */
export function flat(schema: Schema): Schema {
  if (!schema.allOf) return schema;
  const known = merged.get(schema);
  if (known) return known;
  const { allOf, ...own } = schema;
  const found = [...allOf.map(flat), own].reduce<Schema>(
    (all, part) => ({
      ...all,
      ...part,
      ...((all.properties ?? part.properties) && { properties: { ...all.properties, ...part.properties } }),
      ...((all.required ?? part.required) && {
        required: [...(all.required ?? []), ...(part.required ?? [])],
      }),
    }),
    {},
  );
  merged.set(schema, found);
  return found;
}

/** The types that the schema names; none for a schema that has only `oneOf` or `anyOf`. */
export function typesOf(schema: Schema): readonly string[] {
  const { type } = flat(schema);
  return typeof type === 'string' ? [type] : (type ?? []);
}
