import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeAbandoned, unfinishedName } from '../../../src/app/transfer/unfinished.js';

it('an unfinished file of an earlier process with the id of this process is removed, as in a container', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'store-unfinished-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'a.csv');
  await writeFile(unfinishedName(file), '');
  await writeFile(`${file}.${process.ppid}.part`, 'of a process that runs');
  removeAbandoned(file);
  expect(await readdir(folder)).toEqual([`a.csv.${process.ppid}.part`]);
});
