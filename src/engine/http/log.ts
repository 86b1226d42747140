import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { destination, pino, stdSerializers, type Logger } from 'pino';
import type { Config } from '../config/config.js';

const FLUSH_TIMEOUT_MS = 1_000;

/**
 * One JSON line for each event, on the standard output. Headers and bodies, where secrets are, are never logged.
 *
 * Lines are written together, since a system call for each would cost more than the line: when there are 4 KB of
 * them, after a second at the latest, and whatever is left when the process exits (pino sees to that, also when it
 * exits by an error that nobody caught).
 */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.errWithCause },
    },
    destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 1_000 }),
  );
}

/** Writes what has been kept back. A standard output that nobody reads any more is not waited for. */
export function flushed(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_TIMEOUT_MS).unref();
    logger.flush(() => resolve());
  });
}

/** Nest's own lines go the same way; what it tells at start, module by module, is for debugging. */
export class NestLog implements LoggerService {
  private isFlushing = false;

  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    // What stops the start is thrown as well, and told by start.ts.
    if (rest.at(-1) === 'ExceptionHandler' || rest.at(-1) === 'NestApplication') return;
    // Told by database.module.ts, with the name of the server.
    if (rest.at(-1) === 'TypeOrmModule') return;
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  private write(level: 'error' | 'warn' | 'debug', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    if (message instanceof Error) this.logger[level]({ err: message, context }, message.message);
    else if (typeof message === 'object' && message !== null) {
      this.logger[level]({ ...message, context }, rest.length > 1 ? String(rest[0]) : undefined);
    } else this.logger[level]({ context }, String(message));
    if (level === 'error') this.flush();
  }

  /** Once at a time: each waits for the stream with listeners of its own. What comes meanwhile is written within a second. */
  private flush(): void {
    if (this.isFlushing) return;
    this.isFlushing = true;
    this.logger.flush(() => (this.isFlushing = false));
  }
}

/** A line for each request, or for a share of them; requests that fail with 5xx always leave one. */
export function logAccess(fastify: FastifyInstance, logger: Logger, share: number | null): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode >= 500 || isChosen(share)) {
      logger.info(
        {
          requestId: request.id,
          method: request.method,
          path: pathOf(request),
          status: reply.statusCode,
          durationMs: Math.round(reply.elapsedTime * 100) / 100,
          principal: request.principal?.name,
        },
        'request',
      );
    }
    done();
  });
}

/** Without the query, which may hold what somebody searched for, nor the name of a sign-in that is under way. */
function pathOf({ url, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.config.hidesPath ? routeOptions.url : url.split('?', 1)[0];
}

/** What is known of a WebSocket when it is closed. */
export interface SocketLine {
  readonly requestId: string;
  readonly path: string;
  /** Why it was closed (RFC 6455, section 7.4). */
  readonly code: number;
  readonly durationMs: number;
  readonly operations: number;
  readonly principal: string | undefined;
}

/** A line for each WebSocket, or for the same share of them. */
export function logSockets(logger: Logger, share: number | null): (line: SocketLine) => void {
  return (line) => {
    if (isChosen(share)) logger.info(line, 'socket');
  };
}

function isChosen(share: number | null): boolean {
  return share !== null && (share === 1 || Math.random() < share);
}
