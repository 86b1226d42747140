import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_OPTIONS_OF_PRODUCTION } from '../testkit/process.ts';
import type { BenchCollector } from './collector.ts';
import type { BenchIssuer } from './credentials.ts';
import type { Databases } from './databases.ts';
import type { ServerName } from './rows.ts';
import type { ServerCommand } from './server-process.ts';

/** The settings with which LIMIT and the service are started. */
export interface Setup {
  readonly databases: Databases;
  /** The folder of the logs. */
  readonly folder: string;
  readonly key: string;
  readonly issuer: BenchIssuer;
  readonly collector: BenchCollector;
  /**
   * The folder of the CPU profiles; null for no profiles. A server under a profiler is slower, so its processor
   * times are too high.
   */
  readonly profiles: string | null;
  /** The databases on PostgreSQL; null if the row does not need them. */
  readonly postgres: Databases | null;
}

/** The samplers of the services with traces. */
const SAMPLERS: Partial<Record<ServerName, string>> = {
  'service, no traces recorded': 'parentbased_always_off',
  'service, all traces recorded': 'always_on',
};

export function commandOf(server: ServerName, setup: Setup): ServerCommand {
  const { databases, folder, key, issuer, collector, profiles, postgres } = setup;
  const sampler = SAMPLERS[server];
  const profiling = profiles === null ? [] : ['--cpu-prof', '--cpu-prof-dir', profiles];
  if (server === 'LIMIT' || server === 'LIMIT, PostgreSQL') {
    return {
      args: [...profiling, pathOf('limit-server.ts')],
      env: {
        LIMIT_FILE: databases.limit,
        LIMIT_KEY: key,
        ...(server === 'LIMIT, PostgreSQL' && postgres !== null && { LIMIT_POSTGRES: postgres.limit }),
      },
      logFile: join(folder, 'limit.log'),
    };
  }
  const often = server === 'service, counted often' ? ['--import', pathOf('counted-often.ts')] : [];
  return {
    args: [...profiling, ...NODE_OPTIONS_OF_PRODUCTION, ...often, pathOf('../dist/main.js')],
    env: {
      STORE_DATABASE_URL:
        server === 'service, PostgreSQL' && postgres !== null
          ? postgres.service
          : `sqlite:${databases.service}`,
      STORE_ADMIN_KEY: key,
      // The limits are never reached, but the service counts requests against them.
      STORE_RATE_LIMIT: 'anonymous=900000000/h,caller=900000000/h',
      STORE_SUBSCRIPTION_LIMITS: 'anonymous=20000,caller=20000,process=40000',
      // The databases are copied without the file of the master key, so the key is set here.
      STORE_SECRET: 'the-same-secret-for-all-databases-of-the-bench',
      STORE_JWT_ISSUERS: issuer.setting,
      ...(server === 'service, trusted documents' && { STORE_TRUSTED_DOCUMENTS: 'only' }),
      ...(sampler !== undefined && {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER: sampler,
      }),
      STORE_ACCESS_LOG: server === 'service, full log' ? 'all' : 'sample=0.01',
    },
    logFile: join(folder, 'service.log'),
  };
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
