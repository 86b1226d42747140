import { emailKey } from '../users/email-key.js';
import type { Fault, RawRow } from './apply.js';
import { MOST_ITEMS } from './bounds.js';
import type { ImportJob } from './import-file.js';
import type { Mapping } from './mapping.js';
import { ITEM_MEMBERS, MEMBERS } from './members.js';
import { Preparation, type ItemData, type OrderData, type UserData } from './prepare.js';
import type { SourceFile } from './source-file.js';
import type { Staging } from './staging.js';

export interface Taken {
  read: number;
  /** Lines of orders. */
  items: number;
  refused: number;
}

/** Reads the files of an import to their end: what is wrong in itself is refused, the rest is staged. */
export class Intake {
  readonly #job: ImportJob;
  readonly #staging: Staging;
  readonly #preparation: Preparation;
  readonly #itemPreparation: Preparation;
  readonly #taken: Taken = { read: 0, items: 0, refused: 0 };

  constructor(job: ImportJob, staging: Staging) {
    const { mapping, minorPerMajor, file, itemsFile } = job;
    const form = ({ format }: SourceFile) => ({
      absent: mapping.isOwn && format === 'ndjson' ? [] : mapping.absent,
      isGuarded: mapping.isOwn && format === 'csv',
    });
    this.#job = job;
    this.#staging = staging;
    this.#preparation = new Preparation(mapping.fields, form(file), minorPerMajor);
    const itemRules = itemRulesOf(mapping, itemsFile !== null);
    this.#itemPreparation = new Preparation(itemRules, form(itemsFile ?? file), minorPerMajor);
  }

  /** Lines in a file of their own come first, so that each order finds its own. */
  async run(): Promise<Taken> {
    const { itemsFile } = this.#job;
    if (itemsFile !== null) await this.#stageItems(itemsFile);
    await this.#stageRows();
    if (itemsFile !== null) this.#refuseStrayItems(itemsFile);
    return this.#taken;
  }

  async #stageItems(file: SourceFile): Promise<void> {
    const { mapping, progress } = this.#job;
    const rows = file.rows(mapping, mapping.itemColumns, Object.keys(ITEM_MEMBERS));
    for await (const { line, row, fault } of rows) {
      progress('reading lines', file.bytesRead, file.bytes);
      const faults = faultsFrom(fault);
      const item = fault === null ? this.#itemPreparation.item(row, faults) : null;
      this.#staging.addItem(item?.orderId ?? '', line, item?.data ?? null);
      this.#taken.items += 1;
      this.#refuse(file, line, faults);
    }
  }

  #refuseStrayItems(file: SourceFile): void {
    for (const { line, order_id: value } of this.#staging.strayItems()) {
      this.#taken.refused += 1;
      const reason = `is an order that ${this.#job.file.name} does not have`;
      // Without an order it has been told already what is wrong with it.
      if (value !== '') this.#refuse(file, line, [{ column: 'order_id', value, reason }]);
    }
  }

  async #stageRows(): Promise<void> {
    const { kind, file, mapping, progress } = this.#job;
    const hasItems = kind === 'orders' && file.format === 'ndjson';
    const known = [...Object.keys(MEMBERS[kind]), ...(hasItems ? ['items'] : [])];
    for await (const { line, row, fault } of file.rows(mapping, mapping.columns, known)) {
      progress('reading', file.bytesRead, file.bytes);
      this.#taken.read += 1;
      const faults = faultsFrom(fault);
      if (fault === null) this.#stage(line, row, known, faults);
      if (faults.length > 0) this.#taken.refused += 1;
      this.#refuse(file, line, faults);
    }
  }

  #stage(line: number, row: RawRow, known: readonly string[], faults: Fault[]): void {
    if (this.#job.mapping.isOwn) {
      for (const column of Object.keys(row).filter((name) => !known.includes(name))) {
        faults.push({ column, value: '', reason: 'is not known in our own form' });
      }
    }
    const prepared = this.#prepared(line, row, faults);
    // Also of a row that is refused: its id is taken all the same.
    const id = prepared?.id ?? this.#preparation.idOf(row);
    const before = id === '' ? null : this.#staging.claim('id', id, line);
    if (before !== null) faults.push({ column: 'id', value: id, reason: `was in line ${before} already` });
    if (faults.length === 0 && prepared !== null) this.#staging.add({ line, ...prepared });
  }

  #prepared(line: number, row: RawRow, faults: Fault[]): { id: string; data: unknown } | null {
    const { kind } = this.#job;
    if (kind === 'products') return this.#preparation.product(row, faults);
    if (kind === 'orders') return this.#preparedOrder(row, faults);
    const user = this.#preparation.user(row, faults);
    if (user !== null) this.#claimEmail(line, user.data, faults);
    return user;
  }

  #preparedOrder(row: RawRow, faults: Fault[]): { id: string; data: OrderData } | null {
    const order = this.#preparation.order(row, faults);
    const items = this.#itemsOf(order?.id ?? this.#preparation.idOf(row), row, faults);
    if (order === null || faults.length > 0) return null;
    const { id, data, totalMinor } = order;
    const sum = items.reduce((total, item) => total + item.totalMinor, 0);
    if (totalMinor !== null && totalMinor !== sum) {
      const { minorPerMajor } = this.#job;
      const reason = `is not the sum of the lines, ${sum / minorPerMajor}`;
      faults.push({ column: 'total', value: String(totalMinor / minorPerMajor), reason });
    }
    return { id, data: { ...data, items } };
  }

  #claimEmail(line: number, { email }: UserData, faults: Fault[]): void {
    const before = this.#staging.claim('email', emailKey(email), line);
    if (before === null) return;
    faults.push({ column: 'email', value: email, reason: `is that of line ${before} already` });
  }

  #itemsOf(orderId: string, row: RawRow, faults: Fault[]): readonly ItemData[] {
    const isApart = this.#job.itemsFile !== null;
    const found = isApart ? this.#staging.itemsOf(orderId) : this.#inlineItems(row, faults);
    const items = found.filter((item) => item !== null) as ItemData[];
    if (items.length < found.length) {
      // Of lines inside the order the faults are here already.
      if (isApart) faults.push({ column: 'items', value: '', reason: 'has a line that is refused' });
    } else if (items.length === 0 || items.length > MOST_ITEMS) {
      const reason = `must have from 1 to ${MOST_ITEMS} lines, but has ${items.length}`;
      faults.push({ column: 'items', value: '', reason });
    }
    return items;
  }

  #inlineItems(row: RawRow, faults: Fault[]): readonly (ItemData | null)[] {
    const list = this.#job.mapping.items?.list ?? 'items';
    const items = Object.hasOwn(row, list) ? row[list] : [];
    if (!Array.isArray(items)) {
      faults.push({ column: list, value: '', reason: 'must be a list' });
      return [null];
    }
    this.#taken.items += items.length;
    return items.map((item: unknown, index) => {
      const own: Fault[] = [];
      const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
      const data = isObject ? this.#itemPreparation.item(item as RawRow, own).data : null;
      if (!isObject) own.push({ column: '', value: '', reason: 'must be an object' });
      for (const { column, ...fault } of own)
        faults.push({ column: `${list}[${index}].${column}`, ...fault });
      return data;
    });
  }

  #refuse({ name }: SourceFile, line: number, faults: readonly Fault[]): void {
    this.#job.refusals.add(faults.map((fault) => ({ file: name, line, ...fault })));
  }
}

function faultsFrom(reason: string | null): Fault[] {
  return reason === null ? [] : [{ column: '', value: '', reason }];
}

/** Lines inside an order need not say which one they belong to. */
function itemRulesOf({ items }: Mapping, isApart: boolean): Mapping['fields'] {
  if (items === null || isApart) return items?.fields ?? {};
  const { order_id: _order, ...rules } = items.fields;
  return rules;
}
