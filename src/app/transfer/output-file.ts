import { once } from 'node:events';
import { createWriteStream, lstatSync, realpathSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { CommandFailed, WrongUsage } from '../../store/transfer/failure.js';
import { isSameFile, statsOf } from './same-file.js';
import { print } from '../terminal.js';
import { removeAbandoned, unfinishedName } from './unfinished.js';

/**
 * The output of an export. A file is written under another name, and gets its own name when it is complete. Data for a
 * pipe or a device is written directly. `-` is the standard output.
 */
export class OutputFile {
  readonly #name: string;
  /** The name of the file until it is complete; null if the data is written directly. */
  readonly #unfinished: string | null;
  readonly #target: string;
  readonly #stream: Writable;
  #error: Error | undefined;

  /**
   * Call this before anything is changed.
   *
   * @throws WrongUsage for a folder, a file that must not be replaced, or a name that cannot be looked up
   */
  static requireFree(name: string, databaseFiles: readonly string[], mayReplace: boolean): void {
    if (name === '-') return;
    if (databaseFiles.some((file) => isSameFile(name, file))) {
      throw new WrongUsage(`${name} is the database itself. Name another file.`);
    }
    const stats = statsOf(name);
    if (stats?.isDirectory() === true) throw new WrongUsage(`${name} is a folder. Name a file in it.`);
    if (!mayReplace && stats?.isFile() === true && !isWrittenDirectly(name)) {
      throw new WrongUsage(`${name} already exists. Name another file, or add --force.`);
    }
  }

  /**
   * Does the same as `requireFree`, for a command that can only write a regular file, because it renames a complete
   * file to `name`. So this method also refuses `-`, and each name to which `OutputFile` would write directly.
   *
   * @throws WrongUsage as `requireFree`
   */
  static requireRegular(name: string, databaseFiles: readonly string[], mayReplace: boolean): void {
    if (name === '-') throw new WrongUsage('This command cannot write to the standard output. Name a file.');
    OutputFile.requireFree(name, databaseFiles, mayReplace);
    if (!isWrittenDirectly(name)) return;
    throw new WrongUsage(
      `${name} is not a regular file, but a device, a pipe, or a link that leads nowhere. Name a regular file.`,
    );
  }

  /** @param name a name that `requireFree` has accepted */
  constructor(name: string) {
    this.#name = name;
    this.#target = name === '-' || isWrittenDirectly(name) ? name : throughLinks(name);
    this.#unfinished = this.#target === '-' || isWrittenDirectly(name) ? null : unfinishedName(this.#target);
    if (this.#unfinished !== null) removeAbandoned(this.#target);
    // The file contains names and addresses of people. So only the owner of the file can read it, until the operator
    // changes its mode.
    this.#stream =
      name === '-' ? process.stdout : createWriteStream(this.#unfinished ?? name, { mode: 0o600 });
    if (name !== '-') this.#stream.on('error', (error) => (this.#error = error));
  }

  /**
   * Writes a text. If the reader of the output is slower than the database, this method waits for the reader. So memory
   * use stays constant.
   */
  async write(text: string): Promise<void> {
    this.#requireSound();
    if (text === '') return;
    if (this.#name === '-' && process.stdout.isTTY) {
      print(text);
      return;
    }
    if (this.#stream.write(text)) return;
    await once(this.#stream, 'drain').catch(() => undefined);
    this.#requireSound();
  }

  async finish(): Promise<void> {
    if (this.#name === '-') return;
    this.#stream.end();
    await finished(this.#stream).catch(() => undefined);
    this.#requireSound();
    if (this.#unfinished !== null) await rename(this.#unfinished, this.#target);
  }

  async abandon(): Promise<void> {
    if (this.#unfinished !== null) await rm(this.#unfinished, { force: true });
  }

  #requireSound(): void {
    if (this.#error === undefined) return;
    throw new CommandFailed(`${this.#name} could not be written: ${this.#error.message}.`);
  }
}

/**
 * Whether data is written directly to this name. This is the case for pipes and devices (also with names such as
 * `/dev/stdout`), and for links to files that do not exist yet.
 */
function isWrittenDirectly(name: string): boolean {
  if (name.startsWith('/dev/') && !name.startsWith('/dev/shm/')) return true;
  const stats = statsOf(name);
  return stats === undefined ? lstatSync(name, { throwIfNoEntry: false }) !== undefined : !stats.isFile();
}

function throughLinks(name: string): string {
  return statsOf(name) === undefined ? name : realpathSync(name);
}
