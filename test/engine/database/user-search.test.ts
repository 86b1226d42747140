import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { expect, it, onTestFinished } from 'vitest';
import '../../../src/app/app.module.js';
import { dataSourceOptions, openDataSource } from '../../../src/engine/database/data-source.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { UserSearchIndex1763700000027 } from '../../../src/engine/database/migrations/1763700000027-user-search-index.js';
import { migrate, revertLastMigration } from '../../../src/engine/database/migrations.js';
import { searchTextOf } from '../../../src/engine/values/search-text.js';
import { describeOnEachEngine, describeOnPostgres, freshDatabase } from '../../support/fixtures/database.js';

describeOnEachEngine('the migration of the search of users', (engine) => {
  it('computes the text of each user that existed before the migration', async () => {
    const { migrations } = await importedFeatures();
    const fresh = await freshDatabase(engine);
    const dataSource = await openDataSource(dataSourceOptions({ url: fresh.url, migrations }));
    onTestFinished(async () => {
      await dataSource.destroy();
      await fresh.drop();
    });
    const hasText = () =>
      dataSource.query('SELECT search_text FROM users').then(
        () => true,
        () => false,
      );
    while (await hasText()) await revertLastMigration(dataSource);
    await dataSource.query(`
      WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 2500)
      INSERT INTO users (name, email, email_key, version, created_at, updated_at)
      SELECT 'Zoë ' || n, 'z' || n || '@example.com', 'z' || n, 1, ${
        engine === 'sqlite' ? '0, 0' : 'now(), now()'
      } FROM many`);
    await migrate(dataSource);
    const texts = (await dataSource.query('SELECT search_text FROM users ORDER BY id')) as {
      search_text: string;
    }[];
    expect(texts.map(({ search_text }) => search_text)).toEqual(
      Array.from({ length: 2500 }, (_, n) => `ZOE ${n + 1}\nZ${n + 1}@EXAMPLE.COM`),
    );
  });
});

describeOnPostgres('an upgrade while instances of the previous release are running', () => {
  it('lets these instances read users, but not change them, while the texts are computed and indexed', async () => {
    const { migrations } = await importedFeatures();
    const looks: unknown[] = [];
    let reader: DataSource | undefined;
    /**
     * Runs the migration of the index. Before the transaction of this migration ends, the class looks at the users
     * through another connection.
     */
    class Watched extends UserSearchIndex1763700000027 implements MigrationInterface {
      // TypeORM reads the time of a migration from its name.
      readonly name = UserSearchIndex1763700000027.name;
      override async up(queryRunner: QueryRunner): Promise<void> {
        await super.up(queryRunner);
        await reader
          ?.transaction(async (old) => {
            await old.query(`SET LOCAL lock_timeout = '2s'`);
            looks.push(await old.query('SELECT name FROM users'));
            // An order takes this lock on the row of its user.
            looks.push(await old.query('SELECT name FROM users FOR KEY SHARE'));
            await old.query('LOCK TABLE users IN ROW EXCLUSIVE MODE NOWAIT');
          })
          .catch((error: unknown) => looks.push(String(error)));
      }
    }
    const fresh = await freshDatabase('postgres');
    onTestFinished(() => fresh.drop());
    const earlier = migrations.filter((migration) => Number(migration.name.slice(-13)) < 1_763_700_000_024);
    const old = await openDataSource(dataSourceOptions({ url: fresh.url, migrations: earlier }));
    onTestFinished(() => old.destroy());
    reader = old;
    await old.query(INSERT, ['Zoë', 'zoe@example.com', 'zoe']);
    const watched = migrations.map((migration) =>
      migration === UserSearchIndex1763700000027 ? Watched : migration,
    );
    const upgraded = await openDataSource(dataSourceOptions({ url: fresh.url, migrations: watched }));
    onTestFinished(() => upgraded.destroy());
    expect(looks).toEqual([
      [{ name: 'Zoë' }],
      [{ name: 'Zoë' }],
      expect.stringMatching(/could not obtain lock/),
    ]);
  });

  it('gives a text to each user that these instances write', async () => {
    const { migrations } = await importedFeatures();
    const fresh = await freshDatabase('postgres');
    const dataSource = await openDataSource(dataSourceOptions({ url: fresh.url, migrations }));
    onTestFinished(async () => {
      await dataSource.destroy();
      await fresh.drop();
    });
    const textOf = async (email: string) =>
      (await dataSource.query('SELECT search_text FROM users WHERE email = $1', [email])) as unknown;
    for (const [index, name] of NAMES.entries()) {
      const email = `u${index}@example.com`;
      await dataSource.query(INSERT, [name, email, email]);
      expect(await textOf(email)).toEqual([{ search_text: searchTextOf(name, email) }]);
      const renamed = `${name} Ångström`;
      await dataSource.query('UPDATE users SET name = $1 WHERE email = $2', [renamed, email]);
      expect(await textOf(email)).toEqual([{ search_text: searchTextOf(renamed, email) }]);
    }
    await dataSource.query(
      `UPDATE users SET name = 'Given', search_text = 'GIVEN' WHERE email = 'u0@example.com'`,
    );
    expect(await textOf('u0@example.com')).toEqual([{ search_text: 'GIVEN' }]);
    // The text has no accents, so a new accent in the name does not change the stored text.
    await dataSource.query(`UPDATE users SET name = 'Gíven' WHERE email = 'u0@example.com'`);
    expect(await textOf('u0@example.com')).toEqual([{ search_text: 'GIVEN' }]);
  });
});

const INSERT = `INSERT INTO users (name, email, email_key, version, created_at, updated_at)
  VALUES ($1, $2, $3, 1, now(), now())`;
const NAMES = [
  'Zoë',
  'Straße',
  'ẞ',
  'ΣΟΦΌΣ Σίσυφος',
  'สมชาย ศรีสุข',
  'हिन्दी',
  'שָׁלוֹם',
  'ﬁn',
  'İpek ı',
  'Łódź',
  '김민준',
  '葛\u{e0100}城',
];
