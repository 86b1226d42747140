import { once } from 'node:events';
import { WebSocket } from 'ws';

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: Frame;
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
}

interface Evaluated<T> {
  readonly result: { readonly value: T; readonly objectId: string };
  /** Set if the expression has thrown. */
  readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
}

/** An answer, or an event of a worker thread. */
interface Received {
  readonly id?: number;
  readonly result: never;
  readonly method?: string;
  readonly params: { readonly sessionId: string; readonly message: string };
}

const TOP = new URL('../../', import.meta.url).href;
const SHOWN = 4;
const SAMPLE_US = 500;

/** Controls the service through its debugging port, so that the service needs no code for this proof. */
export class Inspector {
  readonly #socket: WebSocket;
  #next = 0;
  readonly #waiting = new Map<number, (result: never) => void>();
  /** The worker threads of the service, by their sessions, while `collect` needs them. */
  readonly #threads = new Map<string, PromiseWithResolvers<void>>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString()) as Received));
    socket.on('error', () => undefined);
  }

  /** @param output the output of the service, which has the address of its inspector */
  static async of(output: string): Promise<Inspector> {
    const address = /Debugger listening on (ws:\S+)/.exec(output)?.[1];
    if (address === undefined) throw new Error(`The service does not say where its inspector is: ${output}`);
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return new Inspector(socket);
  }

  /** Collects all garbage of all threads now, so that its collection does not count as a cost of a later message. */
  async collect(): Promise<void> {
    await this.#ask('HeapProfiler.collectGarbage');
    await this.#ask('NodeWorker.enable', { waitForDebuggerOnStart: false });
    await Promise.all(
      [...this.#threads].map(([session, { promise: ended }]) =>
        Promise.race([this.#askThread(session, 'HeapProfiler.collectGarbage'), ended]),
      ),
    );
    await this.#ask('NodeWorker.disable');
    this.#threads.clear();
  }

  /**
   * The places with the most processor time during the work, the worst first, such as `30 % principalOf
   * dist/engine/access/credentials.js:60`.
   */
  async hottest(work: () => Promise<unknown>): Promise<readonly string[]> {
    await this.#ask('Profiler.enable');
    await this.#ask('Profiler.setSamplingInterval', { interval: SAMPLE_US });
    await this.#ask('Profiler.start');
    await work();
    const { profile } = await this.#ask<{ profile: Profile }>('Profiler.stop');
    await this.#ask('Profiler.disable');
    return hottestIn(profile);
  }

  /** The value of an expression in the service. It must be representable as JSON. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result } = await this.#ask<Evaluated<T>>('Runtime.evaluate', { expression, returnByValue: true });
    return result.value;
  }

  /**
   * Finds all objects that are in use and inherit from a prototype, and applies a function to the array of them.
   *
   * @param prototype the source of an expression whose value is the prototype
   * @param fold the source of a function whose result is representable as JSON
   */
  async living<T = number>(prototype: string, fold: string): Promise<T> {
    const objectGroup = 'living';
    const found = await this.#ask<Evaluated<never>>('Runtime.evaluate', {
      expression: prototype,
      objectGroup,
    });
    const { objects } = await this.#ask<{ objects: { objectId: string } }>('Runtime.queryObjects', {
      prototypeObjectId: found.result.objectId,
      objectGroup,
    });
    const folded = await this.#ask<Evaluated<T>>('Runtime.callFunctionOn', {
      objectId: objects.objectId,
      functionDeclaration: `function () { return (${fold})(this); }`,
      returnByValue: true,
    });
    await this.#ask('Runtime.releaseObjectGroup', { objectGroup });
    const { exceptionDetails } = folded;
    if (exceptionDetails !== undefined)
      throw new Error(`${fold} has thrown: ${exceptionDetails.exception?.description}`);
    return folded.result.value;
  }

  leave(): void {
    this.#socket.terminate();
  }

  #receive({ id, result, method, params }: Received): void {
    if (id !== undefined) this.#waiting.get(id)?.(result);
    // Node reports the threads before it answers `NodeWorker.enable`.
    else if (method === 'NodeWorker.attachedToWorker') {
      this.#threads.set(params.sessionId, Promise.withResolvers());
    } else if (method === 'NodeWorker.receivedMessageFromWorker') {
      this.#receive(JSON.parse(params.message) as Received);
    } else if (method === 'NodeWorker.detachedFromWorker') this.#threads.get(params.sessionId)?.resolve();
  }

  #ask<T>(method: string, params: object = {}): Promise<T> {
    const id = (this.#next += 1);
    const answer = this.#answerTo<T>(id, method);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return answer;
  }

  async #askThread(sessionId: string, method: string): Promise<void> {
    const id = (this.#next += 1);
    const answer = this.#answerTo(id, method);
    await this.#ask('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method }) });
    await answer;
  }

  #answerTo<T>(id: number, method: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const gone = () => reject(new Error(`The connection to the inspector ended during ${method}.`));
      this.#socket.once('close', gone);
      this.#waiting.set(id, (result) => {
        this.#waiting.delete(id);
        this.#socket.off('close', gone);
        resolve(result);
      });
    });
  }
}

/** The time of native code, and of Node itself, is added to the function that called it. Idle time does not count. */
function hottestIn({ nodes, samples }: Profile): readonly string[] {
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const counts = new Map<string, number>();
  for (const sample of samples) {
    let id: number | undefined = sample;
    while (id !== undefined && !frames.get(id)?.url.startsWith('file:')) id = parents.get(id);
    const frame = id === undefined ? frames.get(sample) : frames.get(id);
    if (!frame || /^\((idle|program|root)\)$/.test(frame.functionName)) continue;
    const place = frame.url.replace(TOP, '');
    const name =
      `${frame.functionName || '(anonymous)'} ${place}${place && `:${frame.lineNumber + 1}`}`.trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([name, count]) => `${Math.round((100 * count) / all)} % ${name}`);
}
