import { askedWait, authorizedFetch } from '../session.js';

/*
 * Reads server-sent events with `fetch`, because an `EventSource` cannot send a credential. After a lost connection,
 * the stream continues after the id of its last event. So no event is missing, and none comes twice, as long as the log
 * has the events after this id.
 */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** After this time without a byte, the connection counts as lost. The service sends a comment every 25 seconds. */
const QUIET_MS = 30_000;
/** The longest event that is read. All events of this service are shorter. */
const MOST_CHARACTERS = 4_000_000;

export interface Listener {
  /** @param id the place in the log after which the stream continues */
  readonly begun: (id: string) => void;
  readonly event: (data: string, id: string) => void;
  /** The connection is lost. The script connects again by itself. */
  readonly cut: (heardAt: number) => void;
  /**
   * The service no longer keeps the events after the last received event. The stream begins again with the next new
   * event.
   */
  readonly missed: () => void;
  /** The service refuses the stream. The script does not connect again. */
  readonly refused: (message: string) => void;
}

interface Block {
  readonly event: string;
  readonly id: string | null;
  readonly data: string | null;
}

export class EventStream {
  private reading: AbortController | null = null;
  private lastId: string | null = null;
  private heardAt = Date.now();
  private waitMs = FIRST_WAIT_MS;
  /** The shortest wait before the next connection, as the service has asked for (`Retry-After`). */
  private leastWaitMs = 0;
  private timer = 0;

  constructor(
    private readonly address: string,
    private readonly listener: Listener,
  ) {}

  /** Connects, or continues after the last event. */
  start(): void {
    this.waitMs = FIRST_WAIT_MS;
    void this.connect();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.reading?.abort();
    this.reading = null;
  }

  private async connect(): Promise<void> {
    this.stop();
    const reading = new AbortController();
    this.reading = reading;
    try {
      await this.read(reading);
    } catch {
      // The connection was lost, or `stop` has ended it.
    }
    if (this.reading === reading) this.lose();
  }

  private async read(reading: AbortController): Promise<void> {
    this.watch(reading);
    const answer = await authorizedFetch(this.address, {
      headers: {
        accept: 'text/event-stream',
        ...(this.lastId !== null && { 'last-event-id': this.lastId }),
      },
      signal: reading.signal,
    });
    if (this.reading !== reading) return;
    if (!answer.ok || !answer.body) return this.refuse(answer);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.reading !== reading) return;
      this.watch(reading);
      rest += value;
      if (rest.length > MOST_CHARACTERS) return;
      const end = rest.lastIndexOf('\n\n');
      if (end === -1) continue;
      const blocks = rest.slice(0, end).split('\n\n');
      rest = rest.slice(end + 2);
      for (const block of blocks) this.take(blockOf(block));
    }
  }

  private take({ event, id, data }: Block): void {
    this.waitMs = FIRST_WAIT_MS;
    if (data === null) {
      if (id === null) return;
      this.lastId = id;
      this.listener.begun(id);
    } else if (event === '' && id !== null) {
      this.lastId = id;
      this.listener.event(data, id);
    }
    // After an event `problem`, the service ends the stream. The answer to the next request says why.
  }

  private async refuse(answer: Response): Promise<void> {
    if (answer.status === 410) {
      this.lastId = null;
      this.listener.missed();
      return;
    }
    if (answer.status === 429 || answer.status >= 500) {
      this.leastWaitMs = askedWait(answer);
      return;
    }
    const { detail } = (await answer.json().catch(() => ({}))) as { readonly detail?: string };
    this.stop();
    this.listener.refused(
      answer.status === 401
        ? 'Your session has ended. Sign in again.'
        : (detail ?? 'The service refused this.'),
    );
  }

  /**
   * A computer does not notice a lost connection while it sleeps. So the script closes the connection after a long
   * silence.
   */
  private watch(reading: AbortController): void {
    this.heardAt = Date.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => reading.abort(), QUIET_MS);
  }

  private lose(): void {
    clearTimeout(this.timer);
    this.listener.cut(this.heardAt);
    // The wait is random, so that the pages of all visitors do not connect again at the same moment.
    const waitMs = this.leastWaitMs + this.waitMs * (0.5 + Math.random());
    this.leastWaitMs = 0;
    this.timer = setTimeout(() => void this.connect(), waitMs);
    this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
  }
}

/** The fields of a block (WHATWG HTML, section 9.2.6). The service sends one line of data for each event. */
function blockOf(text: string): Block {
  const fields = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(':'))
      .map((line) => /^([a-z]+): ?(.*)$/.exec(line)?.slice(1, 3) ?? [])
      .filter((pair): pair is [string, string] => pair.length === 2),
  );
  return { event: fields.get('event') ?? '', id: fields.get('id') ?? null, data: fields.get('data') ?? null };
}
