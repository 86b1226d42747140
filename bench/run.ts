import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BenchCollector } from './collector.ts';
import { commandOf, type Setup } from './contenders.ts';
import { BenchIssuer } from './credentials.ts';
import { copyDatabases, makeDatabases, removeDatabases, type Databases } from './databases.ts';
import { LADDER, ladderOf, ladderTable } from './ladder.ts';
import { LoadProcess } from './load-process.ts';
import { measureRow } from './measure.ts';
import { MEMORY_AFTER_READS, measureMemoryAfterReads, MEMORY_ROW } from './memory-after-reads.ts';
import { HELP, readOptions, type Options } from './options.ts';
import { seedPostgres } from './postgres.ts';
import { createOnServer } from '../testkit/databases.ts';
import { finding, jsonOf, tableHead, tableLine, type Finding } from './report.ts';
import { POSTGRES_ROWS, ROWS, START_ROWS, type Row } from './rows.ts';
import { ServerProcess } from './server-process.ts';
import { FIRST_ANSWER_TARGET, IDLE_MEMORY_TARGET, measureStart } from './start-up.ts';

/**
 * The benchmark compares the built service with a bare server (LIMIT, see limit-server.ts). It compares the processor
 * time per request, and not the duration, because a busy machine changes the duration more.
 * The servers, the load and this runner are separate processes.
 */
async function bench(options: Options, signal: AbortSignal): Promise<readonly Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'store-bench-'));
  const key = randomBytes(32).toString('base64url');
  const profiles = options.profile === null ? null : resolve(options.profile);
  const setupOn = (databases: Databases): Setup => ({
    databases,
    folder,
    key,
    issuer,
    collector,
    profiles,
    postgres: null,
  });
  const load = new LoadProcess(signal);
  const issuer = await BenchIssuer.start();
  const collector = await BenchCollector.start();
  try {
    const dataFolder = options.keep === null ? folder : resolve(options.keep);
    tell(`${options.products} products in ${dataFolder}`);
    const databases = await makeDatabases(dataFolder, options.products, async (service) => {
      const command = commandOf('service', { ...setupOn({ service, limit: '' }), profiles: null });
      await (await ServerProcess.start(command, signal)).stop();
    });
    const findings: Finding[] = [];
    const found = (...more: Finding[]): void => {
      findings.push(...more);
      for (const line of more) tell(tableLine(line));
    };
    tell(tableHead());
    for (const row of ROWS.filter(({ name }) => options.only.has(name))) {
      found(
        await measured(row, options, databases, (used) =>
          measureRow(row, options, setupOn(used), load, signal),
        ),
      );
    }
    for (const row of POSTGRES_ROWS.filter(({ name }) => options.only.has(name))) {
      found(
        await measured(row, options, databases, (used) =>
          onPostgres(setupOn(used), options, signal, (setup) =>
            measureRow(row, options, setup, load, signal),
          ),
        ),
      );
    }
    if (START_ROWS.some((name) => options.only.has(name)))
      found(...(await started(setupOn(databases), options, signal)));
    if (options.only.has(MEMORY_AFTER_READS)) {
      for (const server of ['service', 'LIMIT'] as const) {
        const memory = await measureMemoryAfterReads(server, options, setupOn(databases), load, signal);
        found(
          server === 'service'
            ? finding(MEMORY_ROW, 'MB', memory)
            : finding({ ...MEMORY_ROW, title: 'the same, LIMIT', target: null }, 'MB', memory),
        );
      }
    }
    if (options.only.has(LADDER)) {
      const used = await copyDatabases(databases, folder);
      tell(ladderTable(await ladderOf(options, setupOn(used), load, signal)));
    }
    return findings;
  } finally {
    load.stop();
    issuer.stop();
    collector.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measured(
  row: Row,
  { keep }: Options,
  databases: Databases,
  measure: (used: Databases) => ReturnType<typeof measureRow>,
): Promise<Finding> {
  // A row that writes gets copies, so that the databases themselves stay as they are for later rows and later runs.
  const used = row.writes
    ? await copyDatabases(databases, keep === null ? join(databases.service, '..') : resolve(keep))
    : databases;
  try {
    const { value, contenders } = await measure(used);
    const unit = row.isDifference ? 'µs' : row.repetitions === undefined ? 'ratio' : '%';
    return finding(row, unit, value, contenders);
  } finally {
    if (row.writes) await removeDatabases(used);
  }
}

/**
 * Creates and fills a database of the service on PostgreSQL for one measurement, and a copy of it for LIMIT. Drops both
 * after the measurement.
 */
async function onPostgres<T>(
  setup: Setup,
  { postgres, products }: Options,
  signal: AbortSignal,
  measure: (setup: Setup) => Promise<T>,
): Promise<T> {
  if (postgres === null) throw new Error('Rows on PostgreSQL need a server: --postgres URL');
  const service = await createOnServer(postgres);
  try {
    const seeding = { ...setup, postgres: { service: service.url, limit: service.url }, profiles: null };
    const server = await ServerProcess.start(commandOf('service, PostgreSQL', seeding), signal);
    try {
      await seedPostgres(service.url, server.port, setup.key, products);
    } finally {
      await server.stop();
    }
    const limit = await createOnServer(postgres, service.name);
    try {
      return await measure({ ...setup, postgres: { service: service.url, limit: limit.url } });
    } finally {
      await limit.drop();
    }
  } finally {
    await service.drop();
  }
}

async function started(setup: Setup, { only }: Options, signal: AbortSignal): Promise<readonly Finding[]> {
  const { firstAnswer, idleMemory } = await measureStart(setup, signal);
  return [
    finding({ name: 'first-answer', title: 'first answer', target: FIRST_ANSWER_TARGET }, 's', firstAnswer),
    finding({ name: 'idle-memory', title: 'idle memory', target: IDLE_MEMORY_TARGET }, 'MB', idleMemory),
  ].filter(({ name }) => only.has(name));
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === null) {
    tell(HELP);
    return;
  }
  if (!existsSync(new URL('../dist/main.js', import.meta.url)))
    throw new Error('There is no dist/main.js: run npm run build');
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const findings = await bench(options, stop.signal);
  if (options.json !== null) await writeFile(options.json, jsonOf(findings, options));
  const missed = findings.filter(({ reached }) => reached === false);
  tell(
    missed.length === 0
      ? 'Every target is reached.'
      : `Missed: ${missed.map(({ title }) => title).join(', ')}.`,
  );
  if (options.check && missed.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  for (let cause = error; cause instanceof Error; { cause } = cause)
    process.stderr.write(`${cause.message}\n`);
  process.exitCode = 2;
});
