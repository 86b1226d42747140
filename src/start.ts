import 'reflect-metadata';
import type { ServerResponse } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { ApiKeysRepository } from './auth/api-keys.repository.js';
import { ApiKeyStrategy } from './auth/api-key.strategy.js';
import { greet } from './banner.js';
import { ConfigError, loadConfig, type Config } from './config.js';
import { createApp } from './create-app.js';
import { Currency } from './currency.js';
import { DatabaseSettingsError } from './database/data-source.js';
import { Database } from './database/database.js';
import { Shutdown } from './http/health.controller.js';
import { createLogger, flushed } from './http/log.js';
import { explainUnreachable } from './unreachable.js';

const DRAIN_TIMEOUT_MS = 10_000;
const IDLE_MS = 1_000;
const PARENT_CHECK_MS = 500;
const DEMO_KEY_MS = 24 * 3_600_000;

/**
 * Starts the service and keeps it until SIGTERM or SIGINT. Ends the process with 1 when it cannot start.
 *
 * @param demoByDefault see `loadConfig`
 */
export async function start({ demoByDefault = false } = {}): Promise<void> {
  try {
    const config = loadConfig(process.env, demoByDefault);
    const logger = createLogger(config);
    const app = await prepare(config, logger);
    await listen(app, config);
    stopWhenAsked(config, (reason) => end(app, logger, reason));
    // Not before: a start that fails here must not use up the key that is shown once.
    const key = await keyFor(app, config);
    const address = await app.getUrl();
    logger.info({ address }, 'ready');
    logger.flush();
    greet(config, address, key);
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
async function prepare(config: Config, logger: Logger): Promise<NestFastifyApplication> {
  try {
    const app = await createApp(config, logger);
    if (config.demo) await prepareDemo(app);
    return app;
  } catch (error) {
    throw explainUnreachable(config, error);
  }
}

async function prepareDemo(app: NestFastifyApplication): Promise<void> {
  const { fillDemo } = await import('./seed/demo.js');
  await fillDemo(app.get(Database, { strict: false }), app.get(Currency, { strict: false }), new Date());
}

/** The administrator's key, when this start makes one. */
async function keyFor(app: NestFastifyApplication, { demo, adminKey }: Config): Promise<string | null> {
  if (demo) return app.get(ApiKeyStrategy, { strict: false }).issueTemporaryKey(DEMO_KEY_MS);
  return adminKey === null ? app.get(ApiKeysRepository, { strict: false }).createFirst() : null;
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
