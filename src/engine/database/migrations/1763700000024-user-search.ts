import type { MigrationInterface, QueryRunner } from 'typeorm';
import { engineOf } from '../engine.js';

/**
 * Adds a column to the users, with the text that searches compare. This migration locks the table for readers too, so
 * it computes no texts. Migration 27 computes the texts of the existing users.
 */
export class UserSearch1763700000024 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) === 'sqlite') {
      await queryRunner.query(`ALTER TABLE users ADD COLUMN search_text text NOT NULL DEFAULT ''`);
      return;
    }
    await queryRunner.query(`ALTER TABLE users ADD COLUMN search_text text COLLATE "C" NOT NULL DEFAULT ''`);
    const [server] = (await queryRunner.query(
      `SELECT current_setting('server_encoding') = 'UTF8' AS normalizes,
         EXISTS (SELECT FROM pg_catalog.pg_collation WHERE collname = 'und-x-icu') AS icu`,
    )) as [{ normalizes: boolean; icu: boolean }];
    if (!server.normalizes) return;
    for (const statement of textsOfOlderReleases(
      server.icu ? 'pg_catalog."und-x-icu"' : 'pg_catalog."default"',
    )) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (engineOf(queryRunner.dataSource) === 'postgres') {
      for (const trigger of ['users_search_text_insert', 'users_search_text_update']) {
        await queryRunner.query(`DROP TRIGGER IF EXISTS ${trigger} ON users`);
      }
      await queryRunner.query('DROP FUNCTION IF EXISTS set_user_search_text()');
      await queryRunner.query('DROP FUNCTION IF EXISTS user_search_text(text, text)');
    }
    await queryRunner.query('ALTER TABLE users DROP COLUMN search_text');
  }
}

/**
 * While instances are replaced one by one, an instance of an older release writes users without a text. The triggers
 * compute this text. The text has the form that `searchTextOf` gives, but the server and JavaScript convert the case of
 * some characters differently: the server may have another version of Unicode, or no ICU. The next change of the user
 * by this release corrects the text.
 */
function textsOfOlderReleases(collation: string): readonly string[] {
  return [
    `CREATE FUNCTION user_search_text(name text, email text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT normalize(upper(lower(
        regexp_replace(normalize(name || chr(10) || email, NFKD), '[${marks()}]', '', 'g') COLLATE ${collation}
      )), NFKC)
    $$`,
    // If this release renames a user from Zoe to Zoë, it writes the same search text again, so the trigger for updates
    // runs. The trigger then keeps the text, because `user_search_text` gives equal texts for both names.
    `CREATE FUNCTION set_user_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        computed text := user_search_text(NEW.name, NEW.email);
      BEGIN
        IF TG_OP = 'INSERT' OR computed <> user_search_text(OLD.name, OLD.email) THEN
          NEW.search_text := computed;
        END IF;
        RETURN NEW;
      END $$`,
    `CREATE TRIGGER users_search_text_insert BEFORE INSERT ON users
      FOR EACH ROW WHEN (NEW.search_text = '') EXECUTE FUNCTION set_user_search_text()`,
    `CREATE TRIGGER users_search_text_update BEFORE UPDATE OF name, email ON users
      FOR EACH ROW WHEN (NEW.search_text = OLD.search_text AND (NEW.name <> OLD.name OR NEW.email <> OLD.email))
      EXECUTE FUNCTION set_user_search_text()`,
  ];
}

/** The characters that `searchText` removes, as ranges of a regular expression. */
function marks(): string {
  const found: string[] = [];
  for (const [from, to] of PARTS_WITH_MARKS) {
    for (let code = from; code < to; code += 1) {
      if (!isMark(code)) continue;
      const first = code;
      while (isMark(code + 1)) code += 1;
      found.push(`${escaped(first)}-${escaped(code)}`);
    }
  }
  return found.join('');
}

/** The parts of Unicode that have marks: the scripts, and the selectors of variants of Chinese characters. */
const PARTS_WITH_MARKS = [
  [0, 0x2_00_00],
  [0xe_00_00, 0xe_10_00],
] as const;

const isMark = (code: number): boolean => /\p{Mn}/u.test(String.fromCodePoint(code));

const escaped = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`;
