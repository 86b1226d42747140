import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emit } from '../../tools/codegen.ts';
import { sampled } from '../support/sampled.js';
import { openapi, sdl } from './contracts.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

const MORE = `
"Hearing." type Subscription { "New ones." newThing("From." after: ID): Thing @auth(scopes: ["admin"]) @untied(reason: "Only GraphQL has it.") }
extend type Mutation {
  "Sends." send("All." things: [ThingInput!]! @constraint(maxItems: 3) "When." at: DateTime): Thing @auth(scopes: ["admin"])
    @untied(reason: "Only GraphQL has it.")
}
"One." input ThingInput @untied(reason: "Only GraphQL has it.") { "Ids." ids: [ID!]! "Name." name: String = "x" @constraint(maxLength: 3) "Inner." inner: ThingInput }
"Either." union Any = Thing | Query
`;

const USE = `
import type { Contract } from './contract.js';
import type { MutationResolvers, QueryResolvers, SubscriptionResolvers, ThingResolvers } from './graphql.js';
import type { Thing } from './schemas.js';
interface Row { readonly id: number; readonly title: string }
declare module './contract.js' { interface Features { things: { entities: { Thing: Row } } } }
declare module './graphql.js' { interface GraphqlContext { readonly who: string } }
const row: Row = { id: 1, title: 'x' };

export class Things implements Pick<Contract<{ who: string }>, 'getThing' | 'listThings' | 'createThing'> {
  async getThing(path: { id: number }): Promise<Row> { return { ...row, id: path.id }; }
  async listThings(): Promise<{ items: Row[]; total: null }> { return { items: [row], total: null }; }
  async createThing(body: { name: string; size: number; in_use?: boolean }, context: { who: string }): Promise<Row> {
    return { ...row, title: body.name + context.who };
  }
}
export const shown: Thing = { id: 1, name: 'x', made_at: null };
export const query: QueryResolvers = {
  thing: async (_, { id }, { who }) => (id > 1 && who !== '' ? row : null),
  things: (_, { limit, sort, mood }) => (limit > 1 && sort?.[0] === '-id' && mood === null ? [row] : null),
};
export const mutation: MutationResolvers = {
  createThing: (_, { name, size, inUse }) => (inUse === true && name.length > size ? row : null),
  send: (_, { things, at }) => (things[0]?.ids[0] === 1 && things[0].name === 'x' && at instanceof Date ? row : null),
};
export const subscription: SubscriptionResolvers = {
  newThing: { subscribe: async function* (_, { after }) { if (after !== null) yield { newThing: row }; } },
};
export const thing: Pick<ThingResolvers, 'id' | 'name' | 'madeAt'> = {
  id: ({ id }) => id, name: ({ title }) => title, madeAt: () => new Date(),
};
`;

describe('the types of generated code', () => {
  let folder: string;
  let options: ts.CompilerOptions;
  let host: ts.CompilerHost;
  beforeAll(async () => {
    folder = await mkdtemp(`${HERE}types-`);
    for (const [name, content] of await emit(JSON.stringify(openapi()), sdl() + MORE)) {
      await writeFile(
        `${folder}/${name}`,
        content.replaceAll("from '../rules/", "from '../../../src/rules/"),
      );
    }
    const config = ts.getParsedCommandLineOfConfigFile(
      `${HERE}../../tsconfig.json`,
      {},
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
          throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '));
        },
      },
    );
    options = config?.options ?? {};
    host = ts.createCompilerHost(options);
    // Only the compiled text differs from test to test, so all other files are parsed once.
    const parsed = new Map<string, ts.SourceFile | undefined>();
    const parse = host.getSourceFile.bind(host);
    host.getSourceFile = (name, version) => {
      if (name.endsWith('/use.ts')) return parse(name, version);
      if (!parsed.has(name)) parsed.set(name, parse(name, version));
      return parsed.get(name);
    };
  });
  afterAll(() => rm(folder, { recursive: true }));

  /**
   * Compiles a text together with the generated files, with the compiler settings of this repository. Returns
   * the messages of the compiler.
   */
  async function compile(text: string): Promise<string[]> {
    await writeFile(`${folder}/use.ts`, text);
    const program = ts.createProgram([`${folder}/use.ts`, `${folder}/fields.ts`], options, host);
    return ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ file, messageText }) =>
          `${file?.fileName.split('/').pop()}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
  }

  it('accept correct implementations', async () => {
    await expect(compile(USE)).resolves.toEqual([]);
  });

  const wrong = [
    ['a renamed member', 'body: { name: string;', 'body: { title: string;', /use.ts: .*createThing/],
    ['another type of a parameter', 'path: { id: number }', 'path: { id: string }', /use.ts: .*getThing/],
    ['a wrong answer', 'name: ({ title }) => title', 'name: ({ id }) => id', /use.ts: .*number/],
    ['a value of an enum by its name in the SDL', "'-id'", "'ID_DESC'", /use.ts: .*no overlap/],
    ['a missing resolver', '  things: (_', '  thongs: (_', /use.ts: /],
  ] as const;
  it.each(sampled(wrong, 2))('refuse %s', async (_, from, to, expected) => {
    expect(USE).toContain(from);
    expect((await compile(USE.replace(from, to))).join('\n')).toMatch(expected);
  });
});
