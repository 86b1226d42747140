import { Column, Entity } from 'typeorm';
import { counter, id, reference, text } from '../../engine/database/columns.js';
import type { PlainRow } from '../../generated/plain.js';

/** A fault of a refused row of an import. */
@Entity('import_refusals')
export class ImportRefusal implements PlainRow<'v2', 'ImportRefusal'> {
  @Column(id())
  id!: number;

  @Column(reference({ name: 'import_id' }))
  importId!: number;

  @Column(counter())
  line!: number;

  @Column(text({ name: 'column_name' }))
  column!: string;

  @Column(text({ name: 'refused_value' }))
  value!: string;

  @Column(text())
  detail!: string;

  @Column(text())
  code!: 'fault' | 'consequence';
}
