import { askedWait, authorizedFetch, session } from '../session.js';
import { operation, type BoardOrder, type Fault, type Result } from './document.js';

/*
 * The events of orders from the log, over one WebSocket (graphql-transport-ws). A caller with `orders:read` gets the
 * events of all orders. A user without this scope gets the events of its own orders. After a lost connection, each
 * subscription continues after the cursor of its last event, so that no event is missing, and none comes twice. There
 * is one exception: if the log no longer has the events after a cursor, both subscriptions begin at the end of the log.
 */

const SUBSCRIPTIONS = ['BoardNewOrders', 'BoardMoves'] as const;
type Subscription = (typeof SUBSCRIPTIONS)[number];

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** After this time without a message, the script asks whether the connection still works. */
const QUIET_MS = 10_000;
/**
 * After this time without an answer, the script treats the connection as lost. If the computer has slept, there is no
 * other sign of the loss.
 */
const PATIENCE_MS = 4_000;
/** After this time without a message, the computer must have slept, because browsers wake hidden tabs once a minute. */
const ASLEEP_MS = 90_000;

export interface Listener {
  /**
   * The connection works.
   *
   * @param isNew whether the events begin at the end of the log, so that earlier events may be missing
   */
  readonly begun: (isNew: boolean) => void;
  readonly event: (order: BoardOrder) => void;
  /** The connection is lost. The script connects again by itself. */
  readonly cut: (heardAt: number) => void;
  /** The credential is not valid, or may not read orders. The script does not connect again. */
  readonly refused: (message: string) => void;
}

interface Message {
  readonly type: string;
  readonly id?: Subscription;
  readonly payload?: unknown;
}

export class Stream {
  private socket: WebSocket | null = null;
  /** The number of the present try. Later reports of older tries are ignored. */
  private turn = 0;
  private isOn = false;
  private readonly cursors = new Map<Subscription, string>();
  private heardAt = Date.now();
  private waitMs = FIRST_WAIT_MS;
  private timer = 0;
  private hasBegun = false;

  constructor(private readonly listener: Listener) {}

  start(): void {
    this.isOn = true;
    void this.connect();
    // When the network is back or the tab is shown again, the script checks the connection at once.
    addEventListener('online', () => this.hurry());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.hurry();
    });
  }

  private hurry(): void {
    if (!this.isOn) return;
    if (this.socket) return this.probe(true);
    this.waitMs = FIRST_WAIT_MS;
    void this.connect();
  }

  /** Sends a request first. The request renews an old access token, so that the service accepts the connection. */
  private async connect(): Promise<void> {
    const turn = ++this.turn;
    clearTimeout(this.timer);
    const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
    const answer = await authorizedFetch('/api/v2/credential', { signal }).catch(() => null);
    if (turn !== this.turn) return;
    const held = session();
    if (answer?.status === 401 || !held) return this.end('Your session has ended.');
    if (!answer?.ok) return this.lose(askedWait(answer));
    const socket = new WebSocket(address(), 'graphql-transport-ws');
    this.socket = socket;
    const payload =
      held.kind === 'key' ? { 'x-api-key': held.secret } : { authorization: `Bearer ${held.secret}` };
    socket.addEventListener('open', () => this.send({ type: 'connection_init', payload }));
    socket.addEventListener('message', ({ data }) => {
      if (turn === this.turn) this.receive(JSON.parse(String(data)) as Message);
    });
    socket.addEventListener('close', () => {
      if (turn === this.turn) this.lose();
    });
    this.wait(() => this.lose(), LONGEST_WAIT_MS);
  }

  private receive({ type, id, payload }: Message): void {
    this.heardAt = Date.now();
    if (type === 'connection_ack') this.subscribe((payload as { readonly cursor: string }).cursor);
    else if (type === 'ping') this.send({ type: 'pong' });
    else if (type === 'next' && id !== undefined) this.take(id, payload as Result);
    else if (type === 'error') this.refuse(payload as readonly Fault[]);
    else if (type === 'complete') this.lose();
    else if (type === 'pong') this.waitMs = FIRST_WAIT_MS;
  }

  private subscribe(cursor: string): void {
    const isNew = !this.hasBegun;
    this.hasBegun = true;
    for (const id of SUBSCRIPTIONS) {
      const after = this.cursors.get(id) ?? cursor;
      this.cursors.set(id, after);
      this.send({ type: 'subscribe', id, payload: operation(id, { after }) });
    }
    this.wait(() => this.probe(), QUIET_MS);
    this.listener.begun(isNew);
  }

  private take(id: Subscription, { data, errors }: Result): void {
    const [order] = Object.values(data ?? {}) as (BoardOrder | null)[];
    if (!order) return this.refuse(errors ?? []);
    // The service may accept a connection, and then refuse both subscriptions. So an accepted connection does not make
    // the waits short again, but an event or a `pong` does.
    this.waitMs = FIRST_WAIT_MS;
    if (order.cursor !== undefined) this.cursors.set(id, order.cursor);
    this.listener.event(order);
  }

  private refuse([fault]: readonly Fault[]): void {
    const code = fault?.extensions?.code;
    if (code === 'FORBIDDEN') return this.end(fault?.message ?? '');
    if (code === 'CURSOR_EXPIRED') {
      // The next connection begins at the end of the log.
      this.cursors.clear();
      this.hasBegun = false;
    }
    this.lose();
  }

  private probe(isUrgent = false): void {
    const quietMs = Date.now() - this.heardAt;
    if (quietMs > ASLEEP_MS) return this.lose();
    if (quietMs < QUIET_MS && !isUrgent) return this.wait(() => this.probe(), QUIET_MS - quietMs);
    this.send({ type: 'ping' });
    const askedAt = Date.now();
    this.wait(() => (this.heardAt < askedAt ? this.lose() : this.probe()), PATIENCE_MS);
  }

  /**
   * Closes this connection, and opens another one after a while.
   *
   * @param leastMs the shortest wait
   */
  private lose(leastMs = 0): void {
    this.turn += 1;
    this.socket?.close();
    this.socket = null;
    this.listener.cut(this.heardAt);
    // The wait is random, so that the boards of all visitors do not connect again at the same moment.
    this.wait(() => void this.connect(), leastMs + this.waitMs * (0.5 + Math.random()));
    this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
  }

  private end(message: string): void {
    this.turn += 1;
    this.isOn = false;
    clearTimeout(this.timer);
    this.socket?.close();
    this.socket = null;
    this.listener.refused(message);
  }

  private wait(callback: () => void, ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(callback, ms);
  }

  private send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

function address(): string {
  return `${location.origin.replace(/^http/, 'ws')}/graphql`;
}
