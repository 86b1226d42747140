import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import {
  buildSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
  type GraphQLOutputType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCHEMA_GRAPHQL } from '../../src/engine/contract/documents.js';
import { clientFolder, compile } from '../support/fixtures/client-folder.js';

const SCHEMA = buildSchema(SCHEMA_GRAPHQL);
const TYPES = Object.values(SCHEMA.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

/** The declarations that graphql-codegen makes of an SDL with its plugin `typescript`, as a client generates them. */
function typesOf(sdl: string): Promise<string> {
  return codegen({
    filename: 'types.ts',
    schema: parse(sdl),
    documents: [],
    // By default, the custom scalars of the SDL become `any`.
    config: { scalars: { DateTime: 'string', SafeInt: 'number' }, enumsAsTypes: true },
    plugins: [{ typescript: {} }],
    pluginMap: { typescript },
  });
}

/** A program that compiles only if null and undefined are allowed exactly as in the SDL of this project. */
function program(): string {
  return `import type * as store from './types.js';

    type Same<A, B> = [A, B] extends [B, A] ? true : false;
    type True<T extends true> = T;
    type Nullable<T> = null extends T ? true : false;
    /** The items of a list, which may be null itself. */
    type Items<T> = NonNullable<T> extends readonly (infer Item)[] ? Item : never;
    type Required<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
    ${TYPES.flatMap((type) => {
      if (isObjectType(type)) {
        return Object.values(type.getFields()).flatMap((field) => [
          ...nullabilityOf(`store.${type.name}['${field.name}']`, field.type),
          ...(field.args.length > 0
            ? [requiredOf(`${type.name}${upper(field.name)}Args`, field.args.filter(isRequiredArgument))]
            : []),
        ]);
      }
      if (isInputObjectType(type))
        return [requiredOf(type.name, Object.values(type.getFields()).filter(isRequiredInputField))];
      if (isEnumType(type)) {
        const values = type.getValues().map(({ name }) => `'${name}'`);
        return [`True<Same<store.${type.name}, ${values.join(' | ')}>>`];
      }
      return [];
    })
      .map((check, index) => `export type Check${index} = ${check};`)
      .join('\n')}`;
}

function nullabilityOf(place: string, type: GraphQLOutputType): string[] {
  const own = `True<Same<Nullable<${place}>, ${!isNonNullType(type)}>>`;
  const list = getNullableType(type);
  return isListType(list) ? [own, ...nullabilityOf(`Items<${place}>`, list.ofType)] : [own];
}

function requiredOf(name: string, required: readonly { readonly name: string }[]): string {
  const names = required.map((each) => `'${each.name}'`);
  return `True<Same<Required<store.${name}>, ${names.join(' | ') || 'never'}>>`;
}

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

describe('the types that graphql-codegen generates from schema.graphql', () => {
  let folder: string;
  let types: string;
  beforeAll(async () => {
    folder = await clientFolder();
    types = await typesOf(SCHEMA_GRAPHQL);
    await writeFile(join(folder, 'checks.ts'), program());
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const compiled = async (text: string): Promise<void> => {
    await writeFile(join(folder, 'types.ts'), text);
    await compile(folder);
  };

  it('allow null where the contract allows it, and require the arguments that the contract requires', async () => {
    expect(program().split('\n').length).toBeGreaterThan(100);
    await compiled(types);
  });

  it.each([
    ['a field that became nullable', 'name: String!\n', 'name: String\n'],
    ['an argument that became optional', '  id: ID!\n', '  id: ID\n'],
    ['items that became nullable', '[Product!]', '[Product]'],
  ])('do not compile with the checks if the schema has %s', async (_what, text, replacement) => {
    const other = SCHEMA_GRAPHQL.replace(text, replacement);
    expect(other).not.toBe(SCHEMA_GRAPHQL);
    await expect(compiled(await typesOf(other))).rejects.toThrow(/does not satisfy the constraint 'true'/);
  });

  it('have the names of the contract, and never the type any', () => {
    const names = [...types.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name);
    const own = TYPES.filter((type) => isObjectType(type) || isInputObjectType(type) || isEnumType(type));
    expect(names).toEqual(expect.arrayContaining(own.map(({ name }) => name)));
    expect(/[:<|,] any\b/.exec(types)?.[0]).toBeUndefined();
  });

  it('are smaller than 100 KiB', () => {
    expect(Buffer.byteLength(types)).toBeLessThan(100 * 1_024);
  });
});
