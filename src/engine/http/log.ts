import type { LoggerService } from '@nestjs/common';
import { destination, pino, stdSerializers, type Logger } from 'pino';
import type { LogConfig } from '../config/slices.js';
import type { AfterAnswer } from './after-answer.js';
import type { AnyRequest } from '../contract/any-request.js';

const FLUSH_TIMEOUT_MS = 1_000;

/**
 * Makes a logger that writes each message as one JSON line to the standard output. Headers and bodies contain secrets,
 * and are never logged.
 *
 * Lines are written in groups, because a system call for each line would cost more than the line itself. They are
 * written when there are 4 KB of them, after a second at the latest, and when the process exits. (pino writes them at
 * the exit, also after an uncaught error.)
 */
export function createLogger({ level }: Pick<LogConfig, 'level'>): Logger {
  return pino(
    {
      level: level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.errWithCause },
    },
    destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 1_000 }),
  );
}

/** Writes the buffered lines. The wait has a limit, in case nobody reads the standard output any more. */
export function flushed(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_TIMEOUT_MS).unref();
    logger.flush(() => resolve());
  });
}

/** The parts of Nest that write hundreds of lines at each start. */
const PARTS_OF_NEST = new Set<unknown>([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'GraphQLModule',
]);

/**
 * The lines of Nest's loggers go to the same log. The lines that come by `log` have the level info, except for Nest's
 * own lines about its start, which have the level debug.
 */
export class NestLog implements LoggerService {
  private isFlushing = false;

  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(PARTS_OF_NEST.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    // An error that stops the start is also thrown, and start.ts reports it.
    if (rest.at(-1) === 'ExceptionHandler' || rest.at(-1) === 'NestApplication') return;
    // If the database cannot be reached, database.module.ts reports the error, with the name of the database server.
    if (rest.at(-1) === 'TypeOrmModule') return;
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  private write(level: 'error' | 'warn' | 'info' | 'debug', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    if (message instanceof Error) this.logger[level]({ err: message, context }, message.message);
    else if (typeof message === 'object' && message !== null) {
      this.logger[level]({ ...message, context }, rest.length > 1 ? String(rest[0]) : undefined);
    } else this.logger[level]({ context }, String(message));
    if (level === 'error') this.flush();
  }

  /**
   * Only one flush runs at a time, because each flush adds listeners to the stream. Later lines are written within a
   * second.
   */
  private flush(): void {
    if (this.isFlushing) return;
    this.isFlushing = true;
    this.logger.flush(() => (this.isFlushing = false));
  }
}

/**
 * Returns the function that logs a line for each request, or for a share of them. Requests that fail with 5xx are
 * always logged.
 *
 * @param share 1 for all requests; null for none
 */
export function accessLog(logger: Logger, share: number | null): AfterAnswer {
  return (request, reply) => {
    if (reply.statusCode < 500 && !isChosen(share)) return;
    logger.info(
      {
        requestId: request.id,
        traceId: request.trace?.id,
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 100) / 100,
        principal: request.principal?.name,
      },
      'request',
    );
  };
}

/**
 * The path without the query, because the query may contain search terms. A path that contains the secret id of a
 * sign-in is replaced by its route.
 */
export function pathOf({ url, routeOptions }: AnyRequest): string {
  if (routeOptions.config.hidesPath) return routeOptions.url ?? '';
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** The facts about a WebSocket when it is closed. */
export interface SocketLine {
  readonly requestId: string;
  readonly path: string;
  /** The reason for the close (RFC 6455, section 7.4). */
  readonly code: number;
  readonly durationMs: number;
  readonly operations: number;
  readonly principal: string | undefined;
}

/** Logs a line for each WebSocket, or for a share of them (1: all; null: none). */
export function logSockets(logger: Logger, share: number | null): (line: SocketLine) => void {
  return (line) => {
    if (isChosen(share)) logger.info(line, 'socket');
  };
}

function isChosen(share: number | null): boolean {
  return share !== null && (share === 1 || Math.random() < share);
}
