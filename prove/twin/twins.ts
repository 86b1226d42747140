import type { Values } from '../contract/values.ts';
import { requireThat } from '../options.ts';
import { agreed, differing } from './compare.ts';
import { isTaken, type Doors, type Outcome } from './doors.ts';
import { effectOf, type Effect, type Touched } from './effects.ts';
import type { FormatsReader } from './formats.ts';
import type { Wish } from './intents.ts';
import { requireSameLists, type Lists } from './lists.ts';
import type { Model } from './model.ts';
import { kindOf } from './mutations.ts';
import { readRow } from './rows.ts';
import { searchFor } from './searches.ts';
import type { Door, Kind, Shown } from './shapes.ts';

const DOORS: readonly Door[] = ['v1', 'v2', 'graphql'];
const STYLES = ['json', 'merge', 'patch'] as const;
/** The values that a deleted row has in the answer, if they differ from those of the model. */
const GONE: Readonly<Partial<Record<Kind, Shown>>> = { product: { stock: null } };
/** The maximum number of rows that are read after a write. */
const MOST_READ = 4;

/** Carries out wishes, and compares the results of all doors. */
export class Twins {
  readonly #doors: Doors;
  readonly #formats: FormatsReader;
  readonly #lists: Lists;
  readonly #model: Model;
  readonly #values: Values;
  readonly #newest = new Map<Kind, number>();
  /** The number of writes done by each door, and the number of refusals by reason. */
  readonly tally = new Map<string, number>();

  constructor(doors: Doors, formats: FormatsReader, lists: Lists, model: Model, values: Values) {
    this.#doors = doors;
    this.#formats = formats;
    this.#lists = lists;
    this.#model = model;
    this.#values = values;
  }

  /** @param tagEnd the part after the version in an entity tag @throws Broken at the first difference */
  async fulfil(wish: Wish, tagEnd: string): Promise<void> {
    const doors = DOORS.filter((door) => isTaken(wish.intent, door));
    const door = this.#values.one(doors);
    const effect: Effect =
      wish.refusal === undefined ? effectOf(this.#model, wish.intent, door) : { refusal: wish.refusal };
    const touched =
      'refusal' in effect
        ? await this.#refuse(wish, effect.refusal, doors, tagEnd)
        : await this.#do(wish, effect, door, tagEnd);
    for (const { kind, id } of touched.slice(0, MOST_READ)) {
      const what = `${kind} ${id}`;
      const model = { way: 'the model', shown: this.#model.shown(kind, id ?? 0) };
      const found = agreed(what, [model, ...(await readRow(this.#doors, this.#formats, kind, id ?? 0))]);
      if (found) this.#model.learn(kind, id ?? 0, found);
    }
    const [first] = touched;
    await this.#search(first?.kind ?? kindOf(wish.intent.action), first?.id ?? 0);
  }

  /** All doors must refuse the wish with the same code. @returns the rows that must be unchanged */
  async #refuse(
    wish: Wish,
    refusal: string,
    doors: readonly Door[],
    tagEnd: string,
  ): Promise<readonly Touched[]> {
    this.#count(`refused with ${refusal}`);
    for (const door of doors) {
      const { code } = await this.#doors.write(wish, door, this.#values.one(STYLES), tagEnd);
      if (code !== refusal) throw differing('a refusal', ['the model', refusal], [door, code]);
    }
    const { intent } = wish;
    const kind = kindOf(intent.action);
    if ('id' in intent) return [{ kind, id: intent.id }];
    if (intent.action === 'createOrder') {
      return intent.items.map(({ productId }) => ({ kind: 'product', id: productId }));
    }
    if (intent.action !== 'batch') return [];
    return intent.changes.flatMap((change) => ('id' in change ? [{ kind, id: change.id }] : []));
  }

  /** @returns the rows that may have changed */
  async #do(
    wish: Wish,
    { touched, happen, results }: Extract<Effect, { touched: unknown }>,
    door: Door,
    tagEnd: string,
  ): Promise<readonly Touched[]> {
    this.#count(`done by ${door}`);
    const kind = kindOf(wish.intent.action);
    const outcome = await this.#doors.write(wish, door, this.#values.one(STYLES), tagEnd);
    if (outcome.code !== null) throw differing('a write', ['the model', null], [door, outcome.code]);
    if (results && JSON.stringify(results) !== JSON.stringify(outcome.results))
      throw differing('a batch', ['the model', results], [door, outcome.results]);
    const isGone = wish.intent.action.startsWith('delete');
    if (isGone) this.#requireRows(kind, outcome, door, isGone);
    const made = this.#madeBy(kind, outcome);
    happen(made);
    const left = [...made];
    const rows = touched.map((each) => ({ kind: each.kind, id: each.id ?? left.shift() ?? 0 }));
    for (const row of rows) this.#model.forget(row.kind, row.id);
    if (!isGone) this.#requireRows(kind, outcome, door, isGone);
    return rows;
  }

  /** The rows in the answer to a write must be the same as in the model. */
  #requireRows(kind: Kind, { rows }: Outcome, door: Door, isGone: boolean): void {
    for (const shown of rows) {
      if (!('id' in shown)) continue;
      const row = this.#model.shown(kind, shown['id'] as number);
      const model = isGone ? { ...row, ...GONE[kind] } : row;
      agreed('the answer to a write', [
        { way: 'the model', shown: model },
        { way: door, shown },
      ]);
    }
  }

  /** The ids of the created rows. Each id must be above all ids before it. */
  #madeBy(kind: Kind, { rows }: Outcome): readonly number[] {
    const made: number[] = [];
    for (const shown of rows) {
      const id = shown['id'] as number | undefined;
      if (id === undefined || this.#model.rows(kind).has(id)) continue;
      const newest = this.#newest.get(kind) ?? 0;
      requireThat(id > newest, () => `A new ${kind} has the id ${id}, which is not above ${newest}.`);
      this.#newest.set(kind, id);
      made.push(id);
    }
    return made;
  }

  async #search(kind: Kind, id: number): Promise<void> {
    const found = searchFor(this.#model, this.#values, kind, this.#model.shown(kind, id));
    const { asked, rows, kind: listed = kind } = found;
    const limit = this.#values.one([1, 5, 20]);
    const readings = rows.slice(0, limit).map((shown) => ({ way: 'the model', shown }));
    requireSameLists(`the ${listed}s with ${asked.graphql}`, [
      { way: 'the model', rows: readings, total: rows.length },
      ...(await this.#lists.first(listed, asked, limit)),
    ]);
  }

  #count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }
}
