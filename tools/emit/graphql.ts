import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { visit } from 'graphql';
import { SCALARS } from '../graphql/scalars.ts';
import type { Sdl } from '../graphql/schema.ts';
import { byName } from '../names.ts';
import type { Dto } from '../shape.ts';
import type { Ties } from '../ties/ties.ts';
import { HEADER, imports, literal } from './text.ts';

/** Resolver types. Arguments are the generated classes, because resolvers get objects of these classes. */
export async function emitGraphql(sdl: Sdl, ties: Ties, dtos: readonly Dto[]): Promise<string> {
  const enumValues = Object.fromEntries(
    [...ties.enums]
      .toSorted(([a], [b]) => byName(a, b))
      .map(([name, values]) => [name, Object.fromEntries(values)]),
  );
  const config = {
    scalars: Object.fromEntries(
      Object.entries(SCALARS).map(([name, { input, output }]) => [name, { input, output }]),
    ),
    strictScalars: true,
    skipTypename: true,
    useTypeImports: true,
    immutableTypes: true,
    enumsAsTypes: true,
    enumValues,
    avoidOptionals: {
      field: true,
      object: true,
      query: true,
      mutation: true,
      subscription: true,
      resolvers: true,
    },
    makeResolverTypeCallable: true,
    // Each enum is mapped to itself. Otherwise its type in `ResolversTypes` would be null, because it has `enumValues`.
    mappers: {
      ...Object.fromEntries([...ties.entities].map(([type, entity]) => [type, `Entity<'${entity}'>`])),
      ...Object.fromEntries(Object.keys(enumValues).map((name) => [name, name])),
    },
    contextType: 'GraphqlContext',
  };
  // Directives are executed by the application, so they are not part of the resolver types.
  const schema = visit(sdl.document, { DirectiveDefinition: () => null, Directive: () => null });
  const generated = await codegen({
    filename: 'graphql.ts',
    schema,
    documents: [],
    config,
    plugins: [{ typescript: {} }, { resolvers: {} }],
    pluginMap: { typescript, resolvers },
  });
  const text = withClasses(withoutAny(generated), dtos);
  const entity = ties.entities.size === 0 ? [] : ['Entity'];
  const classes = dtos.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `${HEADER}${imports('./contract', entity, true)}${imports('./dto', classes, true)}
/** The application adds its members by declaration merging, as to \`Features\`. */
export interface GraphqlContext {}

/** The values of an enum that resolvers see and return, by their names in the schema. */
export const ENUM_VALUES = ${literal(enumValues)} as const;

${text}`;
}

/**
 * Removes the types of arguments and inputs. The generated classes replace them, and say which members are optional.
 */
function withClasses(generated: string, dtos: readonly Dto[]): string {
  const callers = generated
    .replaceAll(/RequireFields<(\w+Args), [^<>]*>/g, '$1')
    .replaceAll(/Partial<(\w+Args)>/g, '$1');
  return dtos.reduce((text, { name }) => {
    const start = text.search(
      new RegExp(`(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export type ${name} = \\{\\n`),
    );
    const end = text.indexOf('\n};\n', start);
    if (start < 0 || end < 0) throw new Error(`graphql-codegen did not write ${name} as expected`);
    return text.slice(0, start) + text.slice(end + 4);
  }, callers);
}

function withoutAny(generated: string): string {
  return generated
    .split('\n')
    .map((line) =>
      /^\s*(\*|\/\*)/.test(line) ? line : line.replaceAll(/(?<=[<,:] ?)any(?=[,>[])/g, 'unknown'),
    )
    .join('\n');
}
