import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiKeysRepository } from './auth/api-keys.repository.js';
import { ConfigError, loadConfig, type Config } from './config.js';
import { createApp } from './create-app.js';
import { DatabaseSettingsError } from './database/data-source.js';
import { Shutdown } from './http/health.controller.js';
import { createLogger } from './http/log.js';

const DRAIN_TIMEOUT_MS = 10_000;

/** Starts the service and keeps it until SIGTERM or SIGINT. Ends the process with 1 when it cannot start. */
export async function start(): Promise<void> {
  try {
    const config = loadConfig(process.env);
    const logger = createLogger(config);
    const app = await createApp(config, logger);
    const keys = app.get(ApiKeysRepository, { strict: false });
    const firstKey = config.adminKey === null ? await keys.createFirst() : null;
    await listen(app, config);
    const address = await app.getUrl();
    logger.info({ address }, 'ready');
    greet(config, address, firstKey);
    let isStopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        // Ctrl-C under npm arrives twice, from the terminal and from npm.
        if (isStopping) return;
        isStopping = true;
        logger.info({ signal }, 'stopping');
        stop(app).then(
          () => process.exit(0),
          (error: unknown) => {
            logger.fatal({ err: error }, 'could not stop in order');
            process.exit(1);
          },
        );
      });
    }
  } catch (error) {
    // What the settings get wrong is told in words; anything else is a bug and needs its stack.
    const isSettings = error instanceof ConfigError || error instanceof DatabaseSettingsError;
    process.stderr.write(`${isSettings ? error.message : String((error as Error).stack)}\n`);
    process.exit(1);
  }
}

async function listen(app: NestFastifyApplication, { port, host }: Config): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE')
      throw new ConfigError([`PORT ${port} on ${host} is taken. Set PORT to a free one.`]);
    if (code === 'EACCES') throw new ConfigError([`PORT ${port} needs rights that this user does not have.`]);
    if (code === 'EADDRNOTAVAIL') throw new ConfigError([`HOST ${host} is no address of this machine.`]);
    throw error;
  }
}

/** From now on not ready; finishes what has been begun, ten seconds at most. */
async function stop(app: NestFastifyApplication): Promise<void> {
  app.get(Shutdown, { strict: false }).hasBegun = true;
  // A connection whose last request is answered would stay open for the next one.
  const sweep = setInterval(() => app.getHttpServer().closeIdleConnections(), 50);
  const patience = setTimeout(() => app.getHttpServer().closeAllConnections(), DRAIN_TIMEOUT_MS);
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
