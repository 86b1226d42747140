import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { generate } from '../../../tools/codegen.ts';

const TOP = fileURLToPath(new URL('../../../', import.meta.url));
const GENERATED = join(TOP, 'src/generated/');
const read = (name: string): Promise<string> => readFile(join(TOP, name), 'utf8');

const config = ts.getParsedCommandLineOfConfigFile(
  join(TOP, 'tsconfig.build.json'),
  { noEmit: true },
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  },
);

type Edit = (text: string) => string;

/** The code that would be generated from the two contracts after these changes. */
async function generated(openapi: readonly Edit[], sdl: readonly Edit[]): Promise<Map<string, string>> {
  const changed = (text: string, edits: readonly Edit[]): string =>
    edits.reduce((before, edit) => {
      const after = edit(before);
      if (after === before) throw new Error(`The change ${edit.toString()} changes nothing`);
      return after;
    }, text);
  return generate(changed(await read('openapi.yaml'), openapi), changed(await read('schema.graphql'), sdl));
}

/**
 * Compiles the sources with these files instead of `src/generated`. `said` has the messages of the compiler, one line
 * for each fault.
 */
function compile(
  files: ReadonlyMap<string, string>,
  before?: ts.Program,
): { program: ts.Program; said: string } {
  if (!config) throw new Error('There is no tsconfig.build.json');
  const host = ts.createCompilerHost(config.options);
  const planted = (name: string): string | undefined =>
    name.startsWith(GENERATED) ? files.get(name.slice(GENERATED.length)) : undefined;
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, options) => {
    const text = planted(name);
    if (text !== undefined) return ts.createSourceFile(name, text, options);
    return before?.getSourceFile(name) ?? getSourceFile(name, options);
  };
  const program = ts.createProgram({
    rootNames: config.fileNames,
    options: config.options,
    host,
    ...(before && { oldProgram: before }),
  });
  const said = ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => {
      const place = file?.fileName.slice(TOP.length) ?? 'tsconfig';
      return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ').replaceAll('\n', ' ')}`;
    })
    .join('\n');
  return { program, said };
}

/**
 * After a change of a name, a type or an operation in a contract, the code must not compile until it is changed too.
 */
describe('the code', () => {
  // Each change affects a different place, so one run of the compiler tests all of them.
  const openapi: readonly Edit[] = [
    // A field of an answer is renamed.
    (text) =>
      text.replace(
        /(^ {4}ProductStock:\n[\s\S]*?)required: \[quantity\]([\s\S]*?)quantity:/m,
        '$1required: [pieces]$2pieces:',
      ),
    // A path parameter is renamed.
    (text) =>
      text.replace('/problems/{code}:', '/problems/{kind}:').replace('- name: code\n', '- name: kind\n'),
    // An operation is added.
    (text) => {
      const start = text.indexOf('  /health/live:');
      const path = text.slice(start, text.indexOf('  /health/ready:'));
      const more = path.replace('/health/live', '/health/more').replace('getLiveness', 'getMore');
      return text.replace(path, path + more);
    },
  ];
  const sdl: readonly Edit[] = [
    // The type of a field is changed.
    (text) => text.replace('product: Product @untied', 'product: Boolean @untied'),
    // A filter is added.
    (text) =>
      text.replace(
        'productsConnection(',
        'productsConnection("Only in this shop." shopId: ID @untied(reason: "A test of the compiler."), ',
      ),
    // A nullable field of a row is added.
    (text) =>
      text.replace(
        'type Product {',
        'type Product { "The colour." colour: String @untied(reason: "A test.") ',
      ),
    // A root field is added.
    (text) =>
      text.replace(
        'type Query {',
        'type Query {\n  "Another."\n  another("Its id." id: ID!): Product @public @untied(reason: "A test.")\n',
      ),
  ];
  let asItIs: string;
  let changed: string;

  // The generator and the compiler run twice. That takes some minutes on a very busy machine.
  beforeAll(async () => {
    const { program, said } = compile(await generated([], []));
    asItIs = said;
    changed = compile(await generated(openapi, sdl), program).said;
  }, 600_000);

  it('compiles with the contracts as they are', () => {
    expect(asItIs).toBe('');
  });

  it.each([
    ['a renamed field of an answer', /^src\/store\/products\/product\.entity\.ts: .*pieces/m],
    ['a renamed path parameter', /^src\/engine\/http\/documents\.controller\.ts: .*'code'/m],
    [
      'a new operation without a handler, and the message names it',
      /^src\/engine\/contract\/complete\.ts: .*"getMore"/m,
    ],
    ['a changed type of a field in GraphQL', /^src\/store\/orders\/order-items\.resolver\.ts: .*boolean/m],
    [
      'a new filter without a condition, and the message names it',
      /^src\/store\/products\/product-listing\.ts: .*'shopId' is missing/m,
    ],
    [
      'a new root field without a resolver, and the message names it',
      /^src\/engine\/contract\/complete\.ts: .*"another"/m,
    ],
    [
      'a new field of a row that nothing fills, and the message names it',
      /^src\/engine\/contract\/complete\.ts: .*"Product\.colour"/m,
    ],
  ])('does not compile after %s', (_what, expected) => {
    expect(changed).toMatch(expected);
  });

  it('is not generated if the two contracts disagree', async () => {
    const disagreeing = generated([], [(text) => text.replaceAll('maxLength: 200', 'maxLength: 100')]);
    await expect(disagreeing).rejects.toThrow(/maxLength is 200 here, but 100/);
  });
});
