import { spawnSync } from 'node:child_process';
import { onTestFinished, expect, it } from 'vitest';
import { findPostgres, PostgresServer } from '../../testkit/postgres-server.ts';
import { needing } from '../support/needs.js';

const onPostgres = needing(
  'the programs of a PostgreSQL server',
  findPostgres() !== null,
  'apt-get install postgresql (Debian)',
);

it('a process ends after a private Redis could not be started', () => {
  const file = new URL('../../testkit/private-redis.ts', import.meta.url).href;
  const script = `
    const { privateRedis } = await import('${file}');
    await (await privateRedis()).start().catch(({ code }) => console.log(code));`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { PATH: '' },
    timeout: 30_000,
  });
  expect([status, stdout]).toEqual([0, 'ENOENT\n']);
});

it('a killed PostgreSQL server has no process id', onPostgres, async () => {
  const ending = new AbortController();
  const server = await PostgresServer.create({
    signal: ending.signal,
    atEnd: (undo) => {
      onTestFinished(async () => {
        ending.abort();
        await undo();
      });
    },
  });
  await server.start();
  expect(server.pid).toBeGreaterThan(0);
  await server.kill('SIGKILL');
  expect(() => server.pid).toThrow('PostgreSQL does not run.');
});
