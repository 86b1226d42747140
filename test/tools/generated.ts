import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { generate } from '../../tools/codegen.ts';
import type { Tree } from './contracts.ts';

type Dto = new () => object;
export interface Generated {
  readonly dtos: Readonly<Record<string, Dto>>;
  readonly operations: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly files: ReadonlyMap<string, string>;
}

/** Generates code and imports it. The generated code uses the rules of `src/rules`, which `validate` uses too. */
export async function execute(api: Tree, graphql: string): Promise<Generated> {
  const files = await generate(JSON.stringify(api, null, 2), graphql);
  const folder = await mkdtemp(fileURLToPath(new URL('generated-', import.meta.url)));
  try {
    for (const name of ['dto.ts', 'operations.ts', 'fields.ts']) {
      const text = files.get(name) ?? '';
      const own = text.replaceAll("from '../rules/", "from '../../../src/rules/");
      await writeFile(`${folder}/${name}`, own);
    }
    const load = (name: string): Promise<unknown> =>
      import(/* @vite-ignore */ pathToFileURL(`${folder}/${name}`).href);
    const dtos = (await load('dto.ts')) as Record<string, Dto>;
    const { OPERATIONS } = (await load('operations.ts')) as { OPERATIONS: Generated['operations'] };
    const { FIELDS } = (await load('fields.ts')) as { FIELDS: Generated['fields'] };
    return { dtos, operations: OPERATIONS, fields: FIELDS, files };
  } finally {
    await rm(folder, { recursive: true });
  }
}
