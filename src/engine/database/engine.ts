import type { DataSource } from 'typeorm';
import type { Engine } from './sql.js';

export function engineOf(dataSource: DataSource): Engine {
  const { type } = dataSource.options;
  if (type === 'better-sqlite3') return 'sqlite';
  if (type === 'postgres') return 'postgres';
  throw new TypeError(`The service does not run on ${type}`);
}
