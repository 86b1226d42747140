import type { DataSource } from 'typeorm';
import type { Row } from './sql.js';

type ColumnMetadata = DataSource['entityMetadatas'][number]['columns'][number];

/**
 * Compiles the way from rows of handwritten SQL to entities, once; it names no column a second time.
 * Columns that a statement doesn't select stay undefined.
 */
export function hydrate<E extends object>(dataSource: DataSource, entity: new () => E): (row: Row) => E {
  const fields = dataSource.getMetadata(entity).columns.map((column) => ({
    column: column.databaseName,
    property: column.propertyName,
    convert: conversion(column),
  }));
  return (row) => {
    const instance = new entity();
    const target = instance as Record<string, unknown>;
    for (const { column, property, convert } of fields) {
      const value = row[column];
      target[property] =
        convert === undefined || value === null || value === undefined ? value : convert(value);
    }
    return instance;
  };
}

function conversion(column: ColumnMetadata): ((value: unknown) => unknown) | undefined {
  // PostgreSQL gives booleans already; the comparison leaves them as they are.
  if (column.type === 'boolean') return (value) => value === true || value === 1;
  const { transformer } = column;
  if (transformer === undefined) return undefined;
  if (Array.isArray(transformer)) throw new TypeError(`${column.propertyPath} has several transformers`);
  return (value): unknown => transformer.from(value);
}
