import 'reflect-metadata';
import type { ServerResponse } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { ApiKeysRepository } from './auth/api-keys.repository.js';
import { ConfigError, loadConfig, type Config } from './config.js';
import { createApp } from './create-app.js';
import { DatabaseSettingsError } from './database/data-source.js';
import { faultOf } from './database/faults.js';
import { Shutdown } from './http/health.controller.js';
import { createLogger, flushed } from './http/log.js';

const DRAIN_TIMEOUT_MS = 10_000;
const IDLE_MS = 1_000;
const PARENT_CHECK_MS = 500;

/** Starts the service and keeps it until SIGTERM or SIGINT. Ends the process with 1 when it cannot start. */
export async function start(): Promise<void> {
  try {
    const config = loadConfig(process.env);
    const logger = createLogger(config);
    const { app, firstKey } = await prepare(config, logger);
    await listen(app, config);
    const address = await app.getUrl();
    logger.info({ address }, 'ready');
    logger.flush();
    greet(config, address, firstKey);
    stopWhenAsked(config, (reason) => end(app, logger, reason));
  } catch (error) {
    // What the settings get wrong is told in words; anything else is a bug and needs its stack.
    const isSettings = error instanceof ConfigError || error instanceof DatabaseSettingsError;
    process.stderr.write(`${isSettings ? error.message : String((error as Error).stack)}\n`);
    process.exit(1);
  }
}

/** Calls back once, at the first of the signs that the service is to end. */
function stopWhenAsked({ startedByNpm }: Config, stopped: (reason: string) => Promise<void>): void {
  let isStopping = false;
  const ask = (reason: string): void => {
    // Ctrl-C under npm arrives twice, from the terminal and from npm.
    if (isStopping) return;
    isStopping = true;
    void stopped(reason);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ask(signal));
  if (!startedByNpm) return;
  // npm passes a signal on to the shell that it started us by, and the shell ends without a word to us.
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid !== parent) ask('npm is gone');
  }, PARENT_CHECK_MS);
  check.unref();
}

async function end(app: NestFastifyApplication, logger: Logger, reason: string): Promise<void> {
  logger.info({ reason }, 'stopping');
  logger.flush();
  let code = 0;
  try {
    await stop(app);
  } catch (error) {
    logger.fatal({ err: error }, 'could not stop in order');
    code = 1;
  }
  await flushed(logger);
  process.exit(code);
}

/** @throws DatabaseSettingsError also when the database could not be reached in all the time that it was tried */
async function prepare(
  config: Config,
  logger: Logger,
): Promise<{ app: NestFastifyApplication; firstKey: string | null }> {
  try {
    const app = await createApp(config, logger);
    const keys = app.get(ApiKeysRepository, { strict: false });
    return { app, firstKey: config.adminKey === null ? await keys.createFirst() : null };
  } catch (error) {
    if (error instanceof DatabaseSettingsError || faultOf(error).kind !== 'unavailable') throw error;
    throw new DatabaseSettingsError(
      `The database ${withoutPassword(config.databaseUrl)} cannot be reached (${reasonOf(error)}). ` +
        'See that it runs and takes connections from here, or set STORE_DATABASE_URL to another one.',
      { cause: error },
    );
  }
}

function withoutPassword(databaseUrl: string): string {
  return databaseUrl.replace(/(:\/\/[^:/@]*):.*@/, '$1@');
}

/** What a name of several addresses failed of has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

async function listen(app: NestFastifyApplication, { port, host }: Config): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE')
      throw new ConfigError([`PORT ${port} on ${host} is taken. Set PORT to a free one.`]);
    if (code === 'EACCES') throw new ConfigError([`PORT ${port} needs rights that this user does not have.`]);
    if (code === 'ENOTFOUND' || code?.startsWith('EAI_'))
      throw new ConfigError([`HOST ${host} is not known. Set HOST to an address of this machine.`]);
    if (code === 'EADDRNOTAVAIL') throw new ConfigError([`HOST ${host} is no address of this machine.`]);
    throw error;
  }
}

/** From now on not ready; finishes what has been begun, ten seconds at most. */
async function stop(app: NestFastifyApplication): Promise<void> {
  app.get(Shutdown, { strict: false }).hasBegun = true;
  const server = app.getHttpServer();
  // Who still has an open connection may ask once more, and is told that it was the last time (RFC 9112, section 9.6).
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  // A connection whose last request is answered would stay open for the next one.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_MS);
  const patience = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await app.close();
  clearInterval(sweep);
  clearTimeout(patience);
}

/**
 * Tells a person where to look. On the standard error and not through the log, because of the key: it is shown this
 * once and should not be kept where logs are.
 */
function greet(config: Config, address: string, firstKey: string | null): void {
  const lines = [
    `  Browser   ${address}/                   and ${address}/docs, ${address}/graphql`,
    `  REST      ${address}/api/v1/products    described by ${address}/openapi.yaml`,
    `  GraphQL   ${address}/graphql            described by ${address}/schema.graphql`,
    `  Database  ${config.databaseUrl.split(':')[0]}`,
  ];
  if (firstKey !== null) {
    lines.push(
      '',
      '  The administrator’s key, shown this once (set STORE_ADMIN_KEY to use one of your own):',
      `    ${firstKey}`,
      '',
      '  Try:',
      `    curl -X POST ${address}/api/v1/products -H 'X-API-Key: ${firstKey}' \\`,
      `      -H 'Content-Type: application/json' -d '{"name":"Chai","price":18}'`,
      `    curl ${address}/api/v1/products`,
    );
  }
  process.stderr.write(`\nThe store service is up.\n\n${lines.join('\n')}\n\n`);
}
