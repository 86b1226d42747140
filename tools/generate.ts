import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { generate, missingParts } from './codegen.ts';
import { COPIES, Copies } from './contract/copies.ts';
import { ContractError } from './faults.ts';

const ROOT = new URL('../', import.meta.url);
const RECORD_IS_OLD =
  'the hashes of the copied descriptions in this file are out of date; npm run contract writes them';
const TARGET = new URL('src/generated/', ROOT);

/**
 * Writes only files that differ, so that watchers are not triggered, and removes files that are no longer generated.
 */
async function main(): Promise<void> {
  const [openapi, graphql, record] = await Promise.all(
    ['openapi.yaml', 'schema.graphql', COPIES].map((name) => readFile(new URL(name, ROOT), 'utf8')),
  );
  const copies = new Copies(record);
  const missing = await missingParts(openapi ?? '', graphql ?? '', copies);
  if (missing.length > 0) throw new ContractError(missing);
  // A faulty contract has other copies than the record says. So the faults of the contracts are found first.
  const files = await generate(openapi ?? '', graphql ?? '');
  if (String(copies) !== record) throw new ContractError([{ place: COPIES, text: RECORD_IS_OLD }]);
  await mkdir(TARGET, { recursive: true });
  const present = new Set(await readdir(TARGET));
  const done: string[] = [];
  for (const [name, text] of files) {
    const file = new URL(name, TARGET);
    if (present.has(name) && (await readFile(file, 'utf8')) === text) continue;
    await writeFile(file, text);
    done.push(`wrote ${name}`);
  }
  for (const name of present) {
    if (files.has(name)) continue;
    await rm(new URL(name, TARGET), { recursive: true });
    done.push(`removed ${name}`);
  }
  console.log(done.length === 0 ? 'src/generated is up to date.' : `src/generated: ${done.join(', ')}.`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ContractError)) throw error;
  console.error(`${error.message}\nFaults in the contracts: ${error.faults.length}. Nothing was written.`);
  process.exitCode = 1;
}
