import { readFile, writeFile } from 'node:fs/promises';
import { Contract } from './contract/complete.ts';
import { COPIES, Copies } from './contract/copies.ts';
import { completeSdl } from './contract/sdl.ts';
import { ContractError } from './faults.ts';

const ROOT = new URL('../', import.meta.url);

/**
 * Adds to openapi.yaml the parts that follow from its other parts, and to schema.graphql the parts that follow from
 * openapi.yaml. A description that an earlier run copied is copied again if its source has changed.
 */
async function main(): Promise<void> {
  const record = new URL(COPIES, ROOT);
  const copies = new Copies(await readFile(record, 'utf8'));
  const openapi = await change('openapi.yaml', (text) => new Contract(text, copies).completed());
  await change('schema.graphql', async (text) => (await completeSdl(openapi, text, copies)).text);
  await writeFile(record, String(copies));
}

async function change(name: string, complete: (text: string) => Promise<string>): Promise<string> {
  const file = new URL(name, ROOT);
  const before = await readFile(file, 'utf8');
  const after = await complete(before);
  if (after !== before) await writeFile(file, after);
  console.log(
    after === before
      ? `${name} is complete.`
      : `${name}: wrote the parts that follow from the rest. Look at the difference, then run npm run codegen.`,
  );
  return after;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ContractError)) throw error;
  console.error(
    `${error.message}\nFaults in the contracts: ${error.faults.length}. schema.graphql was not changed.`,
  );
  process.exitCode = 1;
}
