// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type { Represented } from './contract.js';

/** The functions that show the value of a column in another form. */
export interface Forms {
  readonly moment: (moment: Date) => string;
  readonly major: (minor: number) => number;
  readonly money: (minor: number) => { readonly amount: number; readonly currency: string };
}

/**
 * The columns that the plain representation of an entity reads. If an entity has no other representation, its class has
 * these columns.
 */
export interface Plain {
  readonly v1: {
    readonly Identity: {
      readonly id: number;
      readonly issuer: string;
      readonly subject: string;
      readonly userId: number;
      readonly createdAt: Date;
    };
    readonly Product: {
      readonly id: number;
      readonly name: string;
      readonly priceMinor: number;
      readonly inStock: boolean;
    };
    readonly ProductStock: { readonly quantity: number | null };
    readonly User: { readonly id: number; readonly name: string; readonly email: string };
  };
  readonly v2: {
    readonly Identity: {
      readonly id: number;
      readonly issuer: string;
      readonly subject: string;
      readonly userId: number;
      readonly createdAt: Date;
    };
    readonly Import: {
      readonly id: number;
      readonly kind: 'products' | 'users' | 'orders';
      readonly format: 'csv' | 'ndjson';
      readonly rehearsal: boolean;
      readonly events: boolean;
      readonly orderLines: boolean;
      readonly source: string;
      readonly state: 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
      readonly problem: string | null;
      readonly problemLine: number | null;
      readonly bytes: number;
      readonly parts: number;
      readonly rows: number;
      readonly rowsDone: number;
      readonly read: number;
      readonly orderItems: number;
      readonly created: number;
      readonly updated: number;
      readonly unchanged: number;
      readonly skipped: number;
      readonly repeated: number;
      readonly refused: number;
      readonly createdAt: Date;
      readonly startedAt: Date | null;
      readonly endedAt: Date | null;
    };
    readonly ImportRefusal: {
      readonly id: number;
      readonly line: number;
      readonly column: string;
      readonly value: string;
      readonly detail: string;
      readonly code: 'fault' | 'consequence';
    };
    readonly Product: {
      readonly id: number;
      readonly name: string;
      readonly description: string | null;
      readonly priceMinor: number;
      readonly inStock: boolean;
      readonly createdAt: Date;
      readonly updatedAt: Date;
    };
    readonly ProductStock: { readonly quantity: number | null };
    readonly StoredKey: {
      readonly id: number;
      readonly kid: string;
      readonly createdAt: Date;
      readonly goodUntil: Date | null;
    };
    readonly User: {
      readonly id: number;
      readonly name: string;
      readonly email: string;
      readonly createdAt: Date;
      readonly updatedAt: Date;
    };
  };
}

/** `class User implements PlainRow<'v1', 'User'>`: the compiler compares the columns. */
export type PlainRow<V extends keyof Plain, E extends keyof Plain[V]> = Plain[V][E];

export const PLAIN = {
  v1: {
    Identity: (
      row: Plain['v1']['Identity'],
      { moment }: Pick<Forms, 'moment'>,
    ): Represented['v1']['Identity'] => ({
      id: row.id,
      issuer: row.issuer,
      subject: row.subject,
      user_id: row.userId,
      created_at: moment(row.createdAt),
    }),
    Product: (
      row: Plain['v1']['Product'],
      { major }: Pick<Forms, 'major'>,
    ): Represented['v1']['Product'] => ({
      id: row.id,
      name: row.name,
      price: major(row.priceMinor),
      in_stock: row.inStock,
    }),
    ProductStock: (row: Plain['v1']['ProductStock']): Represented['v1']['ProductStock'] => ({
      quantity: row.quantity,
    }),
    User: (row: Plain['v1']['User']): Represented['v1']['User'] => ({
      id: row.id,
      name: row.name,
      email: row.email,
    }),
  },
  v2: {
    Identity: (
      row: Plain['v2']['Identity'],
      { moment }: Pick<Forms, 'moment'>,
    ): Represented['v2']['Identity'] => ({
      id: row.id,
      issuer: row.issuer,
      subject: row.subject,
      user_id: row.userId,
      created_at: moment(row.createdAt),
    }),
    Import: (row: Plain['v2']['Import'], { moment }: Pick<Forms, 'moment'>): Represented['v2']['Import'] => ({
      id: row.id,
      kind: row.kind,
      format: row.format,
      rehearsal: row.rehearsal,
      events: row.events,
      order_lines: row.orderLines,
      source: row.source,
      state: row.state,
      problem: row.problem,
      problem_line: row.problemLine,
      bytes: row.bytes,
      parts: row.parts,
      rows: row.rows,
      rows_done: row.rowsDone,
      read: row.read,
      order_items: row.orderItems,
      created: row.created,
      updated: row.updated,
      unchanged: row.unchanged,
      skipped: row.skipped,
      repeated: row.repeated,
      refused: row.refused,
      created_at: moment(row.createdAt),
      started_at: row.startedAt && moment(row.startedAt),
      ended_at: row.endedAt && moment(row.endedAt),
    }),
    ImportRefusal: (row: Plain['v2']['ImportRefusal']): Represented['v2']['ImportRefusal'] => ({
      id: row.id,
      line: row.line,
      column: row.column,
      value: row.value,
      detail: row.detail,
      code: row.code,
    }),
    Product: (
      row: Plain['v2']['Product'],
      { moment, money }: Pick<Forms, 'moment' | 'money'>,
    ): Represented['v2']['Product'] => ({
      id: row.id,
      name: row.name,
      description: row.description,
      price: money(row.priceMinor),
      in_stock: row.inStock,
      created_at: moment(row.createdAt),
      updated_at: moment(row.updatedAt),
    }),
    ProductStock: (row: Plain['v2']['ProductStock']): Represented['v2']['ProductStock'] => ({
      quantity: row.quantity,
    }),
    StoredKey: (
      row: Plain['v2']['StoredKey'],
      { moment }: Pick<Forms, 'moment'>,
    ): Represented['v2']['StoredKey'] => ({
      id: row.id,
      kid: row.kid,
      created_at: moment(row.createdAt),
      good_until: row.goodUntil && moment(row.goodUntil),
    }),
    User: (row: Plain['v2']['User'], { moment }: Pick<Forms, 'moment'>): Represented['v2']['User'] => ({
      id: row.id,
      name: row.name,
      email: row.email,
      created_at: moment(row.createdAt),
      updated_at: moment(row.updatedAt),
    }),
  },
};
