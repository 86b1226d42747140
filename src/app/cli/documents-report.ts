import 'reflect-metadata';
import { buildSchema, parse } from 'graphql';
import { loadConfig, type Config } from '../../engine/config/config.js';
import { SCHEMA_GRAPHQL } from '../../engine/contract/documents.js';
import { dataSourceOptions } from '../../engine/database/data-source.js';
import type { Database } from '../../engine/database/database.js';
import { raw, textOf, type Engine, type Row, type Sql, type Value } from '../../engine/database/sql.js';
import { DocumentCompiler } from '../../engine/documents/compiler.js';
import type { Statement } from '../../engine/documents/fragment.js';
import { outcomesOf, type Outcome } from '../../engine/documents/outcome.js';
import { TrustedDocuments, type TrustedForm } from '../../engine/graphql/trusted-documents.js';
import '../../store/orders/order.rows.js';
import '../../store/products/product.rows.js';
import '../../store/users/user.rows.js';
import { CommandFailed, WrongUsage } from '../../store/transfer/failure.js';
import { withStore } from './store.js';

interface DocumentOperation extends TrustedForm {
  /** The name of the operation; null if it has none. */
  readonly name: string | null;
  readonly outcome: Outcome;
}

/**
 * The operations of all trusted documents of the settings, in the order of the files.
 *
 * @throws ConfigError
 */
export function operationsOfDocuments(): readonly DocumentOperation[] {
  const config = loadConfig(process.env);
  const compiler = new DocumentCompiler(buildSchema(SCHEMA_GRAPHQL), {
    engine: engineIn(config),
    currency: config.currency,
  });
  const documents = TrustedDocuments.in(config.graphql.trustedDocumentsDir, SCHEMA_GRAPHQL);
  return documents.all().flatMap((form) =>
    outcomesOf(compiler, parse(form.text)).map((outcome) => ({
      ...form,
      name: outcome.operation.name?.value ?? null,
      outcome,
    })),
  );
}

/**
 * The statements of a document with their plans, for people.
 *
 * @param hash the beginning of a hash
 * @throws WrongUsage if the text is not 1 to 64 digits of a hash
 * @throws CommandFailed if no hash of a document begins with this text, or if more than one does
 */
export async function explained(hash: string): Promise<string> {
  if (!/^[\da-f]{1,64}$/.test(hash)) {
    throw new WrongUsage(
      `A hash has 1 to 64 characters, each 0 to 9 or a to f: «${hash}» is not the beginning of a hash.`,
    );
  }
  const found = operationsOfDocuments().filter((operation) => operation.hash.startsWith(hash));
  if (found.length === 0) {
    throw new CommandFailed(
      `No trusted document has the hash ${hash}. "store documents list" lists all documents.`,
    );
  }
  if (new Set(found.map((operation) => operation.hash)).size > 1) {
    throw new CommandFailed(`More than one hash begins with ${hash}. Give more of its digits.`);
  }
  const texts = await withStore(
    async ({ config, database }) => {
      const parts: string[] = [];
      for (const operation of found) parts.push(await textOfOperation(operation, engineIn(config), database));
      return parts;
    },
    { mustExist: true },
  );
  return texts.join('\n');
}

async function textOfOperation(
  { file, hash, outcome }: DocumentOperation,
  engine: Engine,
  database: Database,
): Promise<string> {
  const { operation, reason, roots } = outcome;
  const lines = [`${file}, ${operation.operation} ${operation.name?.value ?? ''}`.trimEnd(), hash];
  if (reason !== null) lines.push('', `It does not become SQL: ${reason}`);
  for (const { name, compiled, reason: own } of roots) {
    if (own !== null && own !== reason) lines.push('', `${name}: ${own}`);
    if (compiled === null) continue;
    const ways: [string, Statement | null][] = [
      [`${name}:`, compiled.statement],
      [`${name}, for a caller that may see only its own rows:`, compiled.own],
    ];
    for (const [title, statement] of ways) {
      if (statement === null) continue;
      const plan = await planOf(statement.sample, engine, database);
      const text = textOf(statement.sample, engine).trim();
      lines.push('', title, text, '', ...plan.map((step) => `  ${step}`));
    }
  }
  return `${lines.join('\n')}\n`;
}

async function planOf(statement: Sql, engine: Engine, { reads }: Database): Promise<readonly string[]> {
  const ask = (word: string): Promise<readonly Row[]> =>
    reads.all(raw(`${word} ${textOf(statement, engine)}`, statement.values as readonly Value[]));
  if (engine === 'postgres') return (await ask('EXPLAIN')).map((row) => String(row['QUERY PLAN']));
  const depths = new Map<unknown, number>();
  return (await ask('EXPLAIN QUERY PLAN')).map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(id, depth);
    return `${'  '.repeat(depth)}${String(detail)}`;
  });
}

function engineIn({ database }: Config): Engine {
  return dataSourceOptions({ url: database.url }).type === 'postgres' ? 'postgres' : 'sqlite';
}
