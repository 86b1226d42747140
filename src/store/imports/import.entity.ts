import { Column, Entity } from 'typeorm';
import { counter, flag, id, instant, text, version } from '../../engine/database/columns.js';
import type { PlainRow } from '../../generated/plain.js';

/** An import of a file over the API. A runner (`import-runner.ts`) does it in the background. */
@Entity('imports')
export class Import implements PlainRow<'v2', 'Import'> {
  @Column(id())
  id!: number;

  /** The caller that made the import, as `Principal.id`. */
  @Column(text())
  caller!: string;

  @Column(text())
  kind!: 'products' | 'users' | 'orders';

  @Column(text())
  format!: 'csv' | 'ndjson';

  @Column(flag())
  rehearsal!: boolean;

  @Column(flag())
  events!: boolean;

  @Column(flag({ name: 'order_lines' }))
  orderLines!: boolean;

  @Column(text())
  source!: string;

  @Column(text({ nullable: true }))
  mapping!: string | null;

  @Column(text())
  state!: 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

  @Column(text({ nullable: true }))
  problem!: string | null;

  @Column(counter({ name: 'problem_line', nullable: true }))
  problemLine!: number | null;

  @Column(counter())
  bytes!: number;

  @Column(counter())
  parts!: number;

  @Column(counter({ name: 'row_count' }))
  rows!: number;

  @Column(counter({ name: 'rows_done' }))
  rowsDone!: number;

  @Column(counter({ name: 'read_count' }))
  read!: number;

  @Column(counter({ name: 'order_items' }))
  orderItems!: number;

  @Column(counter())
  created!: number;

  @Column(counter())
  updated!: number;

  @Column(counter())
  unchanged!: number;

  @Column(counter())
  skipped!: number;

  @Column(counter())
  repeated!: number;

  @Column(counter())
  refused!: number;

  /**
   * The number of times that a process has begun the import, without the times that ended with `ImportLeases.release`.
   */
  @Column(counter())
  attempts!: number;

  /** The process that does the import. */
  @Column(text({ nullable: true }))
  runner!: string | null;

  /** The time after which another process may continue the import. */
  @Column(instant({ name: 'lease_until', nullable: true }))
  leaseUntil!: Date | null;

  @Column(version())
  version!: number;

  @Column(instant({ name: 'created_at' }))
  createdAt!: Date;

  @Column(instant({ name: 'updated_at' }))
  updatedAt!: Date;

  @Column(instant({ name: 'started_at', nullable: true }))
  startedAt!: Date | null;

  @Column(instant({ name: 'ended_at', nullable: true }))
  endedAt!: Date | null;
}
