import type { Fault, RawRow } from './raw-row.js';
import { MOST_ITEMS } from './bounds.js';
import { alreadyIn, type Claims } from './claims.js';
import type { ImportJob, Taken } from './import-job.js';
import { DEFAULT_READING } from './convert.js';
import { needsId, type Mapping, type Named, type Rule } from './mapping.js';
import { ITEM_MEMBERS, MEMBERS, REFUSED_BECAUSE } from './members.js';
import { namesOf, OwnRows } from './own-row.js';
import { Preparation, type ItemData, type OrderData } from './prepare.js';
import type { Format, SourceFile } from './source-file.js';
import type { Staging } from './staging.js';

const ITEMS: Named = { column: 'items', place: "the store's own format" };
/** The placeholder for the id of a row without an id. If the row is valid, `Claims` makes its id. */
const WITHOUT_ID = 'without';
const ID_TO_COME: Rule = {
  textSource: { value: WITHOUT_ID },
  steps: [],
  reading: DEFAULT_READING,
  fallback: null,
  required: true,
};

interface Prepared {
  readonly id: string;
  readonly data: unknown;
  /** The sum that the lines of an order must have; null if the row has no total. */
  readonly totalMinor?: number | null;
}

/**
 * Reads the files of an import to their end. Rows with faults that do not depend on the store are refused. Rows that
 * repeat an earlier row are counted. All other rows are staged.
 */
export class Intake {
  readonly #job: ImportJob;
  readonly #own: OwnRows;
  readonly #staging: Staging;
  readonly #claims: Claims;
  readonly #preparation: Preparation;
  readonly #itemPreparation: Preparation;
  readonly #isMappedWithoutId: boolean;
  readonly taken: Taken = { read: 0, items: 0, refused: 0, repeated: 0 };

  constructor(job: ImportJob, staging: Staging, claims: Claims) {
    const { mapping, file, itemsFile } = job;
    const minorPerMajor = job.currency.toMinor(1, {});
    const formOf = (format: Format, leavesOut: boolean) => ({
      absent: mapping.isOwn && format === 'ndjson' ? new Set<string>() : mapping.absent,
      isGuarded: mapping.isOwn && format === 'csv',
      leavesOut,
    });
    this.#job = job;
    this.#own = new OwnRows(job.currency);
    this.#staging = staging;
    this.#claims = claims;
    this.#isMappedWithoutId = mapping.fields['id'] === undefined;
    const fields = this.#isMappedWithoutId ? { id: ID_TO_COME, ...mapping.fields } : mapping.fields;
    this.#preparation = new Preparation(fields, formOf(file.format, mapping.isOwn), minorPerMajor);
    const itemRules = itemRulesOf(mapping, itemsFile !== null);
    // The lines of an order replace its stored lines, so no stored value is kept.
    const itemForm = formOf(itemsFile?.format ?? 'ndjson', false);
    this.#itemPreparation = new Preparation(itemRules, itemForm, minorPerMajor);
  }

  /** If the lines of orders are in a file of their own, this file is read first. So each order finds its lines. */
  async run(): Promise<Taken> {
    const { itemsFile } = this.#job;
    if (itemsFile !== null) await this.#stageItems(itemsFile);
    await this.#stageRows();
    if (itemsFile !== null) await this.#refuseStrayItems(itemsFile);
    return this.taken;
  }

  async #stageItems(file: SourceFile): Promise<void> {
    const { mapping, progress } = this.#job;
    const rows = file.rows(mapping, mapping.itemColumns, namesOf('items', ITEM_MEMBERS));
    for await (const { line, row, fault } of rows) {
      await this.#job.pause?.();
      progress('reading lines', file.bytesRead, file.bytes);
      const faults = faultsFrom(fault);
      const item = fault === null ? this.#item(row, faults) : null;
      this.#staging.addItem(item?.orderId ?? '', line, item?.data ?? null);
      this.taken.items += 1;
      this.#refuse(file, line, faults);
    }
  }

  async #refuseStrayItems(file: SourceFile): Promise<void> {
    for (const page of this.#staging.strayItems()) {
      await this.#job.pause?.();
      for (const { line, orderId } of page) this.#refuseStray(file, line, orderId);
    }
  }

  #refuseStray(file: SourceFile, line: number, value: string): void {
    // If each row is a line of an order, a row without the id of an order was already counted as a refused row.
    if (value === '' && this.#job.hasOrderLines) return;
    this.taken.refused += 1;
    const reason = `is an order that is not in ${this.#job.file.name}`;
    const others = 'that refer to the missing rows above';
    const fault = { column: 'order_id', value, reason, about: { key: `order ${value}`, others } } as const;
    // A line without the id of an order was refused when it was read, and its fault is reported already.
    if (value !== '') this.#refuse(file, line, [this.#claims.told(fault, line)]);
  }

  async #stageRows(): Promise<void> {
    const { kind, file, itemsFile, mapping, progress } = this.#job;
    const hasItems = kind === 'orders' && itemsFile === null;
    const known = [...namesOf(kind, MEMBERS[kind]), ...(hasItems ? ['items'] : [])];
    const columns = [...mapping.columns, ...(hasItems && mapping.isOwn ? [ITEMS] : [])];
    for await (const { line, row, fault } of file.rows(mapping, columns, known)) {
      await this.#job.pause?.();
      progress('reading', file.bytesRead, file.bytes);
      this.taken.read += 1;
      const faults = faultsFrom(fault);
      if (fault === null) this.#stage(line, row, known, faults);
      if (faults.length > 0) this.taken.refused += 1;
      this.#refuse(file, line, faults);
    }
  }

  #stage(line: number, raw: RawRow, known: readonly string[], faults: Fault[]): void {
    const row = this.#job.mapping.isOwn ? this.#ownRow(raw, known, faults) : raw;
    const isWithoutId =
      this.#isMappedWithoutId || (row !== raw && !needsId(this.#job.kind) && !Object.hasOwn(raw, 'id'));
    const given = this.#prepared(row, faults);
    const id = given?.id ?? this.#preparation.idOf(row);
    this.#claims.see(id, line);
    if (given !== null && faults.length === 0) this.#stageGood(line, row, given, isWithoutId, faults);
    if (faults.length > 0 && this.#job.hasOrderLines) this.#claims.refuseWhole(id, line);
  }

  #stageGood(line: number, row: RawRow, given: Prepared, isWithoutId: boolean, faults: Fault[]): void {
    const prepared = isWithoutId ? { ...given, id: this.#claims.idFor(given.data) } : given;
    if (this.#job.itemsFile !== null && this.#isKnown(line, prepared, faults)) return;
    // This row repeats no earlier row, so an earlier row with the same id has other values.
    const earlierAt = this.#job.hasOrderLines ? this.#claims.earlierAt(prepared.id) : null;
    if (earlierAt === null) this.#stageWhole(line, row, prepared, faults);
    else faults.push({ column: 'id', value: prepared.id, reason: alreadyIn(earlierAt) });
  }

  #ownRow(raw: RawRow, known: readonly string[], faults: Fault[]): RawRow {
    for (const column of Object.keys(raw).filter(
      (name) => name !== REFUSED_BECAUSE && !known.includes(name),
    )) {
      faults.push({ column, value: '', reason: "is not known in the store's own format" });
    }
    const { kind } = this.#job;
    const row = this.#own.normal(raw, kind, faults);
    return needsId(kind) || Object.hasOwn(row, 'id') ? row : { ...row, id: WITHOUT_ID };
  }

  #item(row: RawRow, faults: Fault[]): ReturnType<Preparation['item']> {
    const { isOwn } = this.#job.mapping;
    return this.#itemPreparation.item(isOwn ? this.#own.normal(row, 'items', faults) : row, faults);
  }

  #stageWhole(line: number, row: RawRow, prepared: Prepared, faults: Fault[]): void {
    const data = this.#job.kind === 'orders' ? this.#withItems(prepared, row, faults) : prepared.data;
    const whole = { id: prepared.id, data };
    if (faults.length > 0) this.#claims.refuse(line, prepared);
    else if (!this.#isKnown(line, whole, faults)) this.#claims.stage({ line, ...whole });
  }

  /**
   * Whether an earlier row has the same data. If the earlier row waits to be stored, this row is only counted. If the
   * earlier row was refused, this row is refused too.
   */
  #isKnown(line: number, row: Prepared, faults: Fault[]): boolean {
    if (this.#claims.isRepeat(row)) {
      this.taken.repeated += 1;
      this.#staging.addRepeat(row.id, line);
      return true;
    }
    const refusedAt = this.#claims.refusedAt(row);
    if (refusedAt === null) return false;
    const reason = `is also in line ${refusedAt}, which is refused`;
    faults.push({ column: 'id', value: row.id, reason, follows: 'that repeat a refused row' });
    return true;
  }

  #prepared(row: RawRow, faults: Fault[]): Prepared | null {
    const { kind } = this.#job;
    if (kind === 'products') return this.#preparation.product(row, faults);
    return kind === 'orders' ? this.#preparation.order(row, faults) : this.#preparation.user(row, faults);
  }

  #withItems({ id, data, totalMinor = null }: Prepared, row: RawRow, faults: Fault[]): OrderData | null {
    const items = this.#itemsOf(id, row, faults);
    if (faults.length > 0) return null;
    const sum = items.reduce((total, item) => total + item.totalMinor, 0);
    if (totalMinor !== null && totalMinor !== sum) {
      const { currency } = this.#job;
      const reason = `is not the sum of the lines, ${currency.toMajor(sum)}`;
      faults.push({ column: 'total', value: String(currency.toMajor(totalMinor)), reason });
    }
    return { ...(data as Omit<OrderData, 'items'>), items };
  }

  #itemsOf(orderId: string, row: RawRow, faults: Fault[]): readonly ItemData[] {
    if (this.#job.itemsFile === null) return this.#inlineItems(row, faults);
    const { all, refused } = this.#staging.itemCounts(orderId);
    if (refused > 0) {
      const reason = 'has a line that is refused';
      faults.push({ column: 'items', value: '', reason, follows: 'with a line that is refused' });
      return [];
    }
    if (!hasGoodCount(all, faults)) return [];
    return this.#staging.itemsOf(orderId, MOST_ITEMS) as ItemData[];
  }

  #inlineItems(row: RawRow, faults: Fault[]): readonly ItemData[] {
    const list = this.#job.mapping.items?.list ?? 'items';
    const items = Object.hasOwn(row, list) ? row[list] : [];
    if (!Array.isArray(items)) {
      faults.push({ column: list, value: '', reason: 'must be a list' });
      return [];
    }
    this.taken.items += items.length;
    // If the order has too many lines, the single lines are not checked.
    if (!hasGoodCount(items.length, faults)) return [];
    return items.flatMap((item: unknown, index) => {
      const own: Fault[] = [];
      const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
      const data = isObject ? this.#item(item as RawRow, own).data : null;
      if (!isObject) own.push({ column: '', value: '', reason: 'must be an object' });
      for (const { column, ...fault } of own)
        faults.push({ column: `${list}[${index}].${column}`, ...fault });
      return data ?? [];
    });
  }

  #refuse({ name }: SourceFile, line: number, faults: readonly Fault[]): void {
    this.#job.refusals.add(faults.map((fault) => ({ file: name, line, ...fault })));
  }
}

/** Whether the number of lines of an order is allowed. If not, a fault is added. */
function hasGoodCount(count: number, faults: Fault[]): boolean {
  if (count > 0 && count <= MOST_ITEMS) return true;
  faults.push({
    column: 'items',
    value: '',
    reason: `must have from 1 to ${MOST_ITEMS} lines, but has ${count}`,
  });
  return false;
}

function faultsFrom(reason: string | null): Fault[] {
  return reason === null ? [] : [{ column: '', value: '', reason }];
}

/** Lines inside an order need not name the order. */
function itemRulesOf({ items }: Mapping, isApart: boolean): Mapping['fields'] {
  if (items === null || isApart) return items?.fields ?? {};
  const { order_id: _order, ...rules } = items.fields;
  return rules;
}
