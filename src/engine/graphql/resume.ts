import { MalformedRequest } from '../errors/errors.js';
import { FIELDS } from '../../generated/fields.js';

/**
 * The positions in the log of events after which subscriptions continue, as the connection states them. A subscription
 * may also have its own argument `after`.
 */
export interface Resume {
  /** The position after which a subscription to this field begins; null: its argument decides. */
  readonly positionOf: (field: string) => number | null;
}

export const FROM_NOW_ON: Resume = { positionOf: () => null };

/** @throws MalformedRequest */
export function cursorIn(text: unknown, place: string): number {
  const digits = typeof text === 'number' ? String(text) : text;
  const position = typeof digits === 'string' && /^(0|[1-9]\d{0,15})$/.test(digits) ? Number(digits) : NaN;
  if (Number.isSafeInteger(position)) return position;
  throw new MalformedRequest(`${place} is not a cursor. A cursor is a number that came with an event.`);
}

/**
 * The names of the fields whose subscriptions can continue. An unknown name is refused. Otherwise the subscription
 * would begin at the present, and the client would miss events.
 */
const SUBSCRIPTIONS: ReadonlySet<string> = new Set(
  Object.entries(FIELDS).flatMap(([name, { type }]) =>
    type === 'Subscription' ? [name.split('.')[1] as string] : [],
  ),
);

/**
 * Reads the payload of `connection_init`: `{"resume": {"newOrder": "41"}}`.
 *
 * @throws MalformedRequest
 */
export function resumeIn({ resume }: Readonly<Record<string, unknown>>): Resume {
  if (resume === undefined || resume === null) return FROM_NOW_ON;
  if (typeof resume !== 'object' || Array.isArray(resume)) {
    throw new MalformedRequest('resume must have a cursor for each field, such as {"newOrder": "41"}.');
  }
  const positions = new Map<string, number>();
  for (const [field, cursor] of Object.entries(resume)) {
    if (!SUBSCRIPTIONS.has(field)) {
      const known = [...SUBSCRIPTIONS].join(', ');
      throw new MalformedRequest(`resume.${field.slice(0, 20)} is not a subscription. Known: ${known}.`);
    }
    if (cursor !== null && cursor !== undefined) positions.set(field, cursorIn(cursor, `resume.${field}`));
  }
  return { positionOf: (field) => positions.get(field) ?? null };
}

/** Returns the later of two positions. The client has received all events up to this position. */
export function later(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
