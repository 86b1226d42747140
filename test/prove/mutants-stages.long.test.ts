import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Contracts } from '../../prove/mutants/mutants.js';
import { QuickStages } from '../../prove/mutants/quick-stages.js';

const [openapi, sdl] = (await Promise.all(
  ['openapi.yaml', 'schema.graphql'].map((name) => readFile(name, 'utf8')),
)) as [string, string];

it('the quick stages report the stage that notices a change, and its message', async () => {
  const stages = await QuickStages.start({ openapi, sdl }, 'recorded');
  const without = (text: string): Contracts => ({ openapi: openapi.replace(text, ''), sdl });
  const misspelt = { openapi, sdl: sdl.replace('type Money {', 'type Money @no {') };
  const other = { openapi: openapi.replace(/(?<=^    Atomic:[^]*?default: )true/m, 'false'), sdl };
  expect(await stages.notice(misspelt)).toMatchObject({
    by: 'codegen',
    line: expect.stringMatching(/@no/),
  });
  expect(await stages.notice(without('      x-owner: path.id\n'))).toMatchObject({ by: 'codegen' });
  expect(await stages.notice(other)).toMatchObject({
    by: 'recorded',
    line: expect.stringMatching(/true became false/),
  });
});
