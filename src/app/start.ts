import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { ApiKeysRepository } from '../store/accounts/api-keys.repository.js';
import { ApiKeyStrategy } from '../store/accounts/api-key.strategy.js';
import { greet } from './banner.js';
import { ConfigError, loadConfig, type Config } from '../engine/config/config.js';
import { createApp } from './create-app.js';
import { Currency } from '../engine/values/currency.js';
import { DatabaseSettingsError } from '../engine/database/settings-error.js';
import { Database } from '../engine/database/database.js';
import { Shutdown } from '../engine/http/readiness.js';
import { Leaving } from '../engine/http/leaving.js';
import { MetricsServer } from '../engine/metrics/metrics-server.js';
import { setGarbageOptions } from './garbage.js';
import { LoopGuard } from '../engine/http/loop-guard.js';
import { createLogger, flushed } from '../engine/http/log.js';
import { explainUnreachable } from './unreachable.js';

const PARENT_CHECK_MS = 500;
const DEMO_KEY_MS = 24 * 3_600_000;

const SERVICE_LINKS =
  'ignored variables that Kubernetes or Docker sets for a service named store: they are not settings. ' +
  'In Kubernetes, enableServiceLinks: false in the pod leaves them out.';
const TRUSTS_EVERYBODY =
  'STORE_TRUST_PROXY=true trusts the X-Forwarded-For of every client, so a client can avoid limits with false addresses. ' +
  'Name the networks of your proxies instead, such as 10.0.0.0/8 or loopback.';

/**
 * Starts the service and runs it until SIGTERM, SIGINT, or the end of the npm that started it. If the service cannot
 * start, the exit code is 1.
 *
 * @param demoByDefault see `loadConfig`
 */
export async function start({ demoByDefault = false } = {}): Promise<void> {
  try {
    const config = loadConfig(process.env, demoByDefault);
    const logger = createLogger(config.log);
    if (config.ignored.length > 0) logger.warn({ names: config.ignored }, SERVICE_LINKS);
    const app = await prepare(config, logger);
    const metricsAddress = await listen(app, config);
    app.get(LoopGuard, { strict: false }).watch(logger);
    const leaving = new Leaving(app.getHttpServer());
    stopWhenAsked(config, (reason) => end(app, leaving, logger, reason));
    // The administrator key is made only now. It is shown only once, and a start that fails before this point would
    // lose it.
    const key = await keyFor(app, config);
    const address = await app.getUrl();
    logger.info({ address, ...(metricsAddress !== null && { metricsAddress }) }, 'ready');
    if (config.http.trustProxy === true) logger.warn(TRUSTS_EVERYBODY);
    logger.flush();
    greet(config, { address, metricsAddress }, key);
    // They are not set earlier, because almost all objects of a start stay in use.
    setGarbageOptions();
  } catch (error) {
    // For wrong settings, the message is enough. Any other error may be a bug, and the stack helps to find it.
    const isSettings = error instanceof ConfigError || error instanceof DatabaseSettingsError;
    process.stderr.write(`${isSettings ? error.message : String((error as Error).stack)}\n`);
    process.exit(1);
  }
}

/** Calls `stopped` once, at the first signal, or when npm has ended. */
function stopWhenAsked({ startedByNpm }: Config, stopped: (reason: string) => Promise<void>): void {
  let isStopping = false;
  const ask = (reason: string): void => {
    // Under npm, Ctrl-C arrives twice: from the terminal and from npm.
    if (isStopping) return;
    isStopping = true;
    void stopped(reason);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ask(signal));
  if (!startedByNpm) return;
  // npm passes a signal on to the shell that started this process. The shell then ends without passing the signal on.
  // So this process checks whether its parent has changed.
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid !== parent) ask('npm has ended');
  }, PARENT_CHECK_MS);
  check.unref();
}

async function end(
  app: NestFastifyApplication,
  leaving: Leaving,
  logger: Logger,
  reason: string,
): Promise<void> {
  // The service reports from now on that it is not ready. Behind a load balancer, it stays open until the load balancer
  // has noticed this. At a terminal there is no load balancer, and a person waits for the end, so the service closes at
  // once.
  app.get(Shutdown, { strict: false }).hasBegun = true;
  const staysMs = reason === 'SIGTERM' && !process.stdout.isTTY ? await leaving.stayMs() : 0;
  logger.info({ reason, staysMs }, 'stopping');
  logger.flush();
  let code = 0;
  try {
    await leaving.leave(staysMs, () => app.close());
  } catch (error) {
    logger.fatal({ err: error }, 'could not stop cleanly');
    code = 1;
  }
  await flushed(logger);
  process.exit(code);
}

/** @throws DatabaseSettingsError for wrong settings, or when all attempts to reach the database have failed */
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

/** The administrator key, if this start makes one. */
async function keyFor(app: NestFastifyApplication, { demo, access }: Config): Promise<string | null> {
  if (demo) return app.get(ApiKeyStrategy, { strict: false }).issueTemporaryKey(DEMO_KEY_MS);
  return access.adminKey === null ? app.get(ApiKeysRepository, { strict: false }).createFirst() : null;
}

/**
 * Listens for the metrics first. If the port of the metrics cannot be used, the start fails before it serves a client.
 *
 * @returns the address of the metrics; null without a port of their own
 */
async function listen(app: NestFastifyApplication, { http }: Config): Promise<string | null> {
  const { port, metricsPort, host } = http;
  const metricsAddress =
    metricsPort === null
      ? null
      : await explained('STORE_METRICS_PORT', metricsPort, host, () =>
          app.get(MetricsServer, { strict: false }).listen(metricsPort, host),
        );
  await explained('PORT', port, host, () => app.listen(port, host));
  return metricsAddress;
}

/** @throws ConfigError when the setting cannot be used on this machine */
async function explained<T>(name: string, port: number, host: string, begin: () => Promise<T>): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE')
      throw new ConfigError([`${name} ${port} on ${host} is in use. Set ${name} to a free port.`]);
    if (code === 'EACCES')
      throw new ConfigError([
        `${name} ${port} needs rights that this user does not have. Set ${name} to another port.`,
      ]);
    if (code === 'ENOTFOUND' || code?.startsWith('EAI_'))
      throw new ConfigError([`HOST ${host} is not known. Set HOST to an address of this machine.`]);
    if (code === 'EADDRNOTAVAIL')
      throw new ConfigError([
        `HOST ${host} is not an address of this machine. Set HOST to one of its addresses.`,
      ]);
    throw error;
  }
}
