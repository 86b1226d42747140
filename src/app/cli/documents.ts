import { Command } from 'commander';
import { print, tell } from '../terminal.js';
import { jsonOf, tableOf } from './table.js';

export function documentsCommand(): Command {
  return new Command('documents')
    .description('Lists the trusted documents, and shows the SQL that they become.')
    .addHelpText(
      'after',
      `
STORE_TRUSTED_DOCUMENTS_DIR names the folder of the documents. A document becomes SQL if STORE_TRUSTED_DOCUMENTS is
"log" or "only".

Examples:
  $ npm run store -- documents list
  $ npm run store -- documents explain 1c5d60`,
    )
    .addCommand(listCommand())
    .addCommand(explainCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('Lists the operations of the trusted documents, and why some of them do not become SQL.')
    .option('--json', 'print a JSON list of {hash, file, operation, reason}', false)
    .addHelpText(
      'after',
      `
A document has several hashes: of its file, of the same text without blanks at its ends, of its text as graphql-js
prints it, and of its text as Apollo Client prints it.

Examples:
  $ npm run store -- documents list
  $ npm run --silent store -- documents list --json`,
    )
    .action(list);
}

function explainCommand(): Command {
  return new Command('explain')
    .description('Shows the SQL statements of a trusted document, and how the database executes them.')
    .argument('<hash>', 'the SHA-256 of the document, or its beginning')
    .addHelpText(
      'after',
      `
There is one statement for each field of Query. If some callers may see only their own rows, there is a second statement
for them. If the document has conditions (@skip, @include), the statement selects all fields. The parameters of a
statement stand for the values of a call, such as arguments and the id of the caller. The plan is the one that the
database makes if every parameter is the number 1.

Examples:
  $ npm run store -- documents explain 1c5d60`,
    )
    .action(explain);
}

async function list({ json }: { json: boolean }): Promise<void> {
  const { operationsOfDocuments } = await import('./documents-report.js');
  const operations = operationsOfDocuments();
  if (operations.length === 0) tell('There are no trusted documents.\n');
  const rows = operations.map(({ hash, file, name, outcome: { reason } }) => ({
    hash,
    file,
    operation: name,
    reason,
  }));
  if (json) return print(jsonOf(rows));
  const lines = rows.map(({ hash, file, operation, reason }) => [
    hash,
    file,
    operation ?? '–',
    reason === null ? 'yes' : `no: ${reason}`,
  ]);
  if (lines.length > 0) print(tableOf([['SHA-256', 'FILE', 'OPERATION', 'SQL'], ...lines]));
}

async function explain(hash: string): Promise<void> {
  const { explained } = await import('./documents-report.js');
  print(await explained(hash.replace(/^sha256:/, '')));
}
