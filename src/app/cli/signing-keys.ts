import { Command, Option } from 'commander';
import { durationMs } from './arguments.js';
import { jsonOf, minuteOf, tableOf } from './table.js';
import { print, tell } from '../terminal.js';

export function signingKeysCommand(): Command {
  return new Command('signing')
    .description('Lists and rotates the keys that sign the tokens of the service.')
    .addHelpText(
      'after',
      `
The keys are in the database. They are sealed under STORE_SECRET, or under the secret in the .secret file beside the
database. All instances sign with the newest key.

Examples:
  $ npm run store -- keys signing list
  $ npm run store -- keys signing rotate --overlap 1d`,
    )
    .addCommand(listCommand())
    .addCommand(rotateCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('Lists the keys that verify tokens. The first one also signs tokens.')
    .option('--json', 'print a JSON list of {kid, created_at, good_until}', false)
    .addHelpText('after', '\nTimes are in UTC.\n\nExamples:\n  $ npm run store -- keys signing list')
    .action(list);
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('Makes a new key that signs tokens. The previous keys verify tokens for a while.')
    .addOption(
      new Option('--overlap <duration>', 'how long the tokens of the previous keys stay valid')
        .argParser(durationMs)
        .default(86_400_000, '1d'),
    )
    .addHelpText(
      'after',
      `
The default overlap is a day. With --overlap 0, all tokens that were signed before become invalid within a second. Use
this if another person may have seen a key.

Examples:
  $ npm run store -- keys signing rotate
  $ npm run store -- keys signing rotate --overlap 0`,
    )
    .action(rotate);
}

async function list({ json }: { json: boolean }): Promise<void> {
  const { administer } = await import('./administration.js');
  const keys = await administer({}, async (store) => (await store.signingKeys()).all());
  if (json) {
    const shown = keys.map(({ kid, createdAt, goodUntil }) => ({
      kid,
      created_at: createdAt.toISOString(),
      good_until: goodUntil && goodUntil.toISOString(),
    }));
    print(jsonOf(shown));
    return;
  }
  const rows = keys.map(({ kid, createdAt, goodUntil }) => [
    kid,
    minuteOf(createdAt),
    goodUntil === null ? 'signs' : `verifies until ${minuteOf(goodUntil)}`,
  ]);
  print(tableOf([['KID', 'CREATED', 'STATE'], ...rows]));
}

async function rotate({ overlap }: { overlap: number }): Promise<void> {
  const { administer } = await import('./administration.js');
  const { kid } = await administer({}, async (store) => (await store.signingKeys()).rotate(overlap));
  const before =
    overlap === 0 ? 'no token that was signed before is valid' : 'the previous keys still verify tokens';
  tell(`Tokens are signed by ${kid} from now on; ${before}.\n`);
}
