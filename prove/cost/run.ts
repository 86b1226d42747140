import type { Engine } from '../databases.ts';
import { Values } from '../contract/values.ts';
import { randomFrom } from '../../testkit/random.ts';
import type { Proceeding } from '../../testkit/proceeding.ts';
import { Broken, tell } from '../options.ts';
import { excess } from './bounds.ts';
import { judged } from './judge.ts';
import { DOORS, type Door, type Message } from './message.ts';
import { Probe } from './probe.ts';
import { figures, save, saved, shown } from './report.ts';
import type { Entry } from './records.ts';
import { Search } from './search.ts';
import { seedsOf } from './seeds.ts';
import { Measured } from './service.ts';
import { shrunk } from './shrink.ts';
import { prepare } from './world.ts';

/*
 * The proof that no message costs much; docs/costs.md describes it. A seed is a valid message. A growth is a seed with
 * one longer part. `Search` sends growths and random changes, and keeps the most expensive messages. `Probe` measures a
 * message, `judged` measures a suspicious one again, and `shrunk` finds the smallest message with the same fault.
 */

export interface Wanted {
  readonly requests: number;
  readonly seed: number;
  readonly doors: readonly Door[];
  /** The number of faults that ends the search. */
  readonly faults: number;
  /** The folder for records and faults; an empty text for none. */
  readonly folder: string;
  /** The file of a message. If it is given, the proof sends this message, and does not search. */
  readonly file: string;
}

const SENDS = 6;
const PROFILED = 3;
const MOST_ALIKE = 2;

/** @throws Broken for messages that cost too much */
export async function proveOn(engine: Engine, wanted: Wanted, proceeding: Proceeding): Promise<void> {
  const service = await Measured.on(engine, proceeding);
  const prepared = await prepare(service.url, wanted.seed);
  const { placeholders } = prepared;
  const again = wanted.file === '' ? null : await saved(wanted.file);
  const doors = again ? [again.door] : wanted.doors.length > 0 ? wanted.doors : DOORS;
  const seeds = (await seedsOf(prepared)).filter(({ door }) => doors.includes(door));
  const probe = new Probe(service, placeholders, seeds);
  await probe.warmUp();
  await probe.calibrate();
  if (again) return sendAgain(probe, again);
  const search = new Search(probe, new Values(randomFrom(wanted.seed)), seeds, doors);
  tell(`${engine}: ${seeds.length} good messages, ${search.growths} growths of their parts; ${probe.told}.`);
  const faults = new Map<string, string>();
  const tally = new Map<string, number>();
  let nonces = 0;
  await search.run(wanted.requests, async (message) => {
    const kind = `${message.door}, ${message.about}`;
    // Further faults of the same kind mostly have the same cause.
    if ((tally.get(kind) ?? 0) >= MOST_ALIKE) return true;
    const cost = await judged(probe, message, () => `n${(nonces += 1)}`);
    if (!cost) return true;
    tally.set(kind, (tally.get(kind) ?? 0) + 1);
    const places = await placesOf(probe, message);
    const key = places[0]?.replace(/^\d+ % /, '') ?? kind;
    if (faults.has(key)) return true;
    const { text, smallest } = await told(probe, { message, cost }, places);
    const file = wanted.folder && (await save(wanted.folder, `${engine}-fault-${faults.size + 1}`, smallest));
    faults.set(key, `${kind}: ${text}${file && `\nThe smallest message is in ${file}.`}`);
    tell(`A fault after ${search.sent} messages: ${faults.get(key)}\n`);
    return faults.size < wanted.faults;
  });
  tell(`${engine}: ${search.sent} messages. The most expensive one of each interface:\n`);
  for (const door of doors) {
    const entry = search.records.dearest(door);
    if (!entry) continue;
    tell(
      `${door}, ${entry.message.about}: ${figures(entry.cost)}\n${shown(entry.message, service.url, placeholders)}`,
    );
    if (wanted.folder)
      tell(`This message is in ${await save(wanted.folder, `${engine}-${door}`, entry.message)}.`);
    tell('');
  }
  if (faults.size > 0) throw new Broken([...faults.values()].join('\n\n'));
}

/** The places in the code that use most of the time. */
async function placesOf(probe: Probe, message: Message): Promise<readonly string[]> {
  if ((await probe.measure(message)).isFatal) return [];
  return probe.service.inspector.hottest(async () => {
    for (let n = 0; n < PROFILED; n++) await probe.measure(message);
  });
}

/** Describes the fault of a message, and finds the smallest message with the same fault. */
async function told(
  probe: Probe,
  { message, cost }: Entry,
  places: readonly string[],
): Promise<{ readonly text: string; readonly smallest: Message }> {
  const smallest = await shrunk(probe, { message, cost });
  const less = await probe.measure(smallest);
  const lines = [
    `${excess(cost)}. The smallest message with this fault: ${figures(less)}`,
    shown(smallest, probe.service.url, probe.placeholders),
    ...places.map((each) => `  ${each}`),
  ];
  return { text: lines.join('\n'), smallest };
}

async function sendAgain(probe: Probe, message: Message): Promise<void> {
  for (let n = 0; n < SENDS; n++) tell(figures(await probe.measure(message)));
  const cost = await judged(probe, message, () => String(performance.now()));
  if (!cost) return tell('The message is within its bounds.');
  const places = await placesOf(probe, message);
  throw new Broken(
    [excess(cost), shown(message, probe.service.url, probe.placeholders), ...places].join('\n'),
  );
}
