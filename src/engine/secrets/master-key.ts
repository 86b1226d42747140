import { createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { ConfigError } from '../config/config.js';
import { isSecret } from '../config/parsers.js';
import type { DatabaseConfig, SecretsConfig } from '../config/slices.js';
import { sqliteFileOf } from '../database/data-source.js';
import { one, run, sql, type Steps } from '../database/sql.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import { ofText, open, seal, toText } from './sealing.js';

/**
 * The master key of the store. Each purpose has a key of its own, derived from `STORE_SECRET`, or from the secret in
 * the file beside the SQLite database. A database in memory has a new secret at each start.
 */
export class MasterKey {
  private readonly keys = new Map<string, KeyObject>();

  /** @param text see `STORE_SECRET` */
  constructor(private readonly text: string) {}

  /**
   * The master key with which the data of this database was written. The first start on a database decides which key
   * this is.
   *
   * @throws ConfigError when the secret is missing, is not the secret of this database, or is in a file that cannot be
   *   used
   */
  static async of(
    { secret }: SecretsConfig,
    { url: databaseUrl }: Pick<DatabaseConfig, 'url'>,
    unitOfWork: UnitOfWork,
  ): Promise<MasterKey> {
    const isSettled = (await unitOfWork.run(() => settled())) !== null;
    const found = new MasterKey(secret ?? withoutSetting(databaseUrl, isSettled));
    const check = createHmac('sha256', found.key('check')).update('store').digest('base64url');
    const stored = await unitOfWork.run(function* () {
      yield* run(
        sql`INSERT INTO settings (name, value) VALUES ('secret_check', ${check}) ON CONFLICT (name) DO NOTHING`,
      );
      return yield* settled();
    });
    if (stored === check) return found;
    throw new ConfigError([
      secret === null
        ? `STORE_SECRET is not set, and ${fileOf(databaseUrl)} does not have the secret of this database. Put the right file there.`
        : 'STORE_SECRET is not the secret of this database. Set it to the secret that was used first.',
    ]);
  }

  /** The key of a purpose: 256 bits, by HKDF (RFC 5869). */
  key(purpose: string): KeyObject {
    let key = this.keys.get(purpose);
    if (key === undefined) {
      key = createSecretKey(Buffer.from(hkdfSync('sha256', this.text, '', `store ${purpose}`, 32)));
      this.keys.set(purpose, key);
    }
    return key;
  }

  /**
   * Encrypts and authenticates.
   *
   * @param about the object to which the text belongs; the text can be opened only with the same value
   */
  seal(purpose: string, content: Buffer, about: string): string {
    return toText(seal(this.key(purpose), content, about));
  }

  /**
   * @throws Error if the text was changed, or was sealed with another secret, for another purpose or with another
   *   `about`
   */
  open(purpose: string, sealed: string, about: string): Buffer {
    return open(this.key(purpose), ofText(sealed), about);
  }
}

function* settled(): Steps<string | null> {
  const row = yield* one<{ value: string }>(sql`SELECT value FROM settings WHERE name = 'secret_check'`);
  return row?.value ?? null;
}

function fileOf(databaseUrl: string): string | null {
  const file = sqliteFileOf(databaseUrl);
  return file === null ? null : `${file}.secret`;
}

/** @param isSettled whether data was already written with a secret, so that a new secret would be wrong */
function withoutSetting(databaseUrl: string, isSettled: boolean): string {
  const file = fileOf(databaseUrl);
  if (file !== null) return read(file) ?? (isSettled ? lost(file) : made(file));
  if (databaseUrl.startsWith('sqlite:')) return newSecret();
  throw new ConfigError([
    'STORE_SECRET must be set with PostgreSQL, to the same value in all instances: 32 to 512 printable ASCII characters without spaces, ' +
      'such as the output of "openssl rand -base64 33". Keep it as safe as the database.',
  ]);
}

function lost(file: string): never {
  throw new ConfigError([
    `STORE_SECRET is not set, and the file ${file} with the secret of this database does not exist. Put it back from the backup.`,
  ]);
}

function read(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (isSecret(text)) return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unusable(file, 'read', error);
  }
  throw new ConfigError([
    `STORE_SECRET is not set, and ${file} does not have a secret. Put the right file there.`,
  ]);
}

/** Makes the complete file, or no file. Processes that start together all get the secret that one of them made. */
function made(file: string): string {
  const part = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const descriptor = openSync(part, 'wx', 0o600);
    try {
      writeSync(descriptor, `${newSecret()}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    // An existing file is not replaced.
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, 'created', error);
  } finally {
    rmSync(part, { force: true });
  }
  return read(file) ?? lost(file);
}

function unusable(file: string, what: 'read' | 'created', error: unknown): ConfigError {
  return new ConfigError([
    `STORE_SECRET is not set, and ${file} cannot be ${what} (${(error as Error).message}). Allow this user to do so, or set STORE_SECRET.`,
  ]);
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
