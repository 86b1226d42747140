import { readFile, writeFile } from 'node:fs/promises';
import { Contract } from './contract/complete.ts';

const FILE = new URL('../openapi.yaml', import.meta.url);

/** Adds to openapi.yaml the parts that follow from its other parts; see `Contract`. */
const before = await readFile(FILE, 'utf8');
const after = await new Contract(before).completed();
if (after === before) console.log('openapi.yaml is complete.');
else {
  await writeFile(FILE, after);
  console.log(
    'openapi.yaml: wrote what follows from the rest. Look at the difference, then run npm run codegen.',
  );
}
