import { Agent, request } from 'node:http';

export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The text at which the reading of a stream ends. Without `until`, the reading ends after a short time. */
  readonly until?: string;
}

export interface Answer {
  readonly status: number;
  /** The headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const STREAM_MS = 150;
const TIMEOUT_MS = 60_000;
const ATTEMPTS = 10;

/** Sends requests as they are, one or more at a time. */
export class Client {
  readonly url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(url: string) {
    this.url = url;
  }

  /**
   * Sends the request. If the server has closed the connection, sends the request again. A server may close a
   * connection that is idle, or on which a long request is being sent.
   */
  async send(sent: Sent): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sendOnce(sent);
      } catch (error) {
        const { code = '' } = error as { code?: string };
        if (attempt === ATTEMPTS || !['EPIPE', 'ECONNRESET'].includes(code)) throw error;
      }
    }
  }

  #sendOnce({ method, target, headers, body, until }: Sent): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(this.url);
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const options = { hostname, port, method, path: target, agent: this.#agent, timeout: TIMEOUT_MS };
      const sent = request({ ...options, headers: { ...length, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        const answer = (): Answer => ({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          text: Buffer.concat(chunks).toString('utf8'),
        });
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(answer()));
        response.on('error', reject);
        if (String(response.headers['content-type']).startsWith('text/event-stream') && method !== 'HEAD') {
          const leave = (): void => {
            resolve(answer());
            response.destroy();
          };
          setTimeout(leave, until === undefined ? STREAM_MS : TIMEOUT_MS / 6).unref();
          response.on('data', () => until !== undefined && answer().text.includes(until) && leave());
        }
      });
      sent.on('timeout', () => sent.destroy(new Error(`${method} ${target} has no answer.`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The request as a command line for a shell. */
export function curlOf(url: string, { method, target, headers, body }: Sent): string {
  return [
    'curl -i',
    method === 'HEAD' ? '--head' : `-X ${method}`,
    quoted(url + target),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : [`--data-binary ${quoted(body.length > 5000 ? `${body.slice(0, 5000)}…` : body)}`]),
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
