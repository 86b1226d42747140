import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** A change of the contracts that the code does not follow must not compile. */
describe('a contract that the code does not follow', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-compile-'));
    for (const name of [
      'src',
      'tools',
      'tsconfig.json',
      'tsconfig.build.json',
      'package.json',
      '.prettierrc',
    ]) {
      await cp(join(TOP, name), join(folder, name), { recursive: true });
    }
    await symlink(join(TOP, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Generates and compiles with the contracts changed so; what the tools say, or nothing if they are content. */
  async function compile(change: {
    openapi?: (text: string) => string;
    sdl?: (text: string) => string;
  }): Promise<string> {
    for (const [name, edit] of [
      ['openapi.yaml', change.openapi],
      ['schema.graphql', change.sdl],
    ] as const) {
      const text = await readFile(join(TOP, name), 'utf8');
      const changed = edit?.(text) ?? text;
      if (edit && changed === text) throw new Error(`The change of ${name} changes nothing`);
      await writeFile(join(folder, name), changed);
    }
    try {
      await run(process.execPath, ['tools/generate.ts'], { cwd: folder });
      await run(
        process.execPath,
        ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noEmit'],
        { cwd: folder },
      );
      return '';
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return stdout + stderr;
    }
  }

  it('compiles as it is', async () => {
    expect(await compile({})).toBe('');
  });

  it('stops at a renamed field of an answer', async () => {
    const said = await compile({
      openapi: (text) =>
        text.replace(
          /(^    ProductStock:\n[\s\S]*?)required: \[quantity\]([\s\S]*?)quantity:/m,
          '$1required: [pieces]$2pieces:',
        ),
    });
    expect(said).toContain('product.representation.ts');
  });

  it('stops at a renamed path parameter', async () => {
    const said = await compile({
      openapi: (text) =>
        text
          .replaceAll('/{id}', '/{product_id}')
          .replace('ProductId:\n      name: id', 'ProductId:\n      name: product_id')
          .replaceAll(
            'parameters: { id: $response.body#/id }',
            'parameters: { product_id: $response.body#/id }',
          )
          .replaceAll(/^( +)x-graphql: Query\.product$/gm, '$1x-graphql: false'),
    });
    expect(said).toContain('products.controller.ts');
  });

  it('stops at an operation without a handler, by its name', async () => {
    const said = await compile({
      openapi: (text) => {
        const start = text.indexOf('  /health/live:');
        const path = text.slice(start, text.indexOf('  /health/ready:'));
        return text.replace(
          path,
          path + path.replace('/health/live', '/health/more').replace('getLiveness', 'getMore'),
        );
      },
    });
    expect(said).toContain('getMore');
    expect(said).toContain('complete.ts');
  });

  it('stops at a changed type of a field in GraphQL', async () => {
    const said = await compile({ sdl: (text) => text.replace('priceMoney: Money!', 'priceMoney: String!') });
    expect(said).toContain('products.resolver.ts');
  });

  it('stops at a root field without a resolver', async () => {
    const said = await compile({
      sdl: (text) =>
        text.replace(
          'type Query {',
          'type Query {\n  "Another."\n  another("Its id." id: ID!): Product @public\n',
        ),
    });
    expect(said).toContain('complete.ts');
    expect(said).toContain('another');
  });

  it('is not even generated when the contracts disagree', async () => {
    const said = await compile({ sdl: (text) => text.replaceAll('maxLength: 200', 'maxLength: 100') });
    expect(said).toMatch(/maxLength/);
    expect(said).toMatch(/200/);
  });
});
