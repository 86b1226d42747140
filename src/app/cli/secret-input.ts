import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CommandFailed, WrongUsage } from '../../store/transfer/failure.js';
import { tell } from '../terminal.js';

/**
 * Requires a source for a password: a terminal, or the standard input if an option says so. A password is never an
 * argument, because every user of the machine can see arguments.
 *
 * @param isPiped whether the option says that the password comes from the standard input
 * @param option the name of that option
 * @throws WrongUsage
 */
export function requireSource(isPiped: boolean, option: string): void {
  if (process.stdin.isTTY || isPiped) return;
  throw new WrongUsage(
    `There is no terminal to ask for the password. Pipe the password in, and add ${option}.`,
  );
}

/**
 * Asks for the password twice on the terminal, without showing it. Without a terminal, reads the standard input to its
 * end, and removes one line break at the end.
 */
export function newPassword(): Promise<string> {
  return process.stdin.isTTY ? askTwice() : piped();
}

async function piped(): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true })
      .decode(await buffer(process.stdin))
      .replace(/\r?\n$/, '');
  } catch {
    throw new WrongUsage('The password on the standard input is not UTF-8.');
  }
}

async function askTwice(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Neither readline nor the terminal shows the typed characters: the output of readline is thrown away, and the echo
  // of the terminal is off.
  const terminal = createInterface({
    input: process.stdin,
    output: nowhere,
    terminal: true,
    historySize: 0,
  }).on('SIGINT', () => {
    terminal.close();
    tell('\nNothing was changed.\n');
    process.exit(128 + constants.signals.SIGINT);
  });
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (prompt: string): Promise<string> => {
    tell(prompt);
    const { value, done } = await lines.next();
    tell('\n');
    if (done === true) throw new CommandFailed('No password was given. Nothing was changed.');
    return value;
  };
  try {
    const password = await ask('New password: ');
    if ((await ask('Repeat the password: ')) === password) return password;
    throw new CommandFailed('The two passwords are not the same. Nothing was changed.');
  } finally {
    terminal.close();
  }
}
