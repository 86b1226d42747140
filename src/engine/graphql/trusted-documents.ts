import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  Kind,
  parse,
  print,
  validate,
  visit,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { ConfigError } from '../config/config.js';
import { RULES } from './valid-text.js';

/**
 * A text of a document, and its hash. A client may send the document in several forms, and each form has a hash of its
 * own.
 */
export interface TrustedForm {
  readonly hash: string;
  readonly text: string;
  /** The path of the file, relative to the folder of the documents. */
  readonly file: string;
}

/** The documents of a folder, by the SHA-256 of their texts. */
export class TrustedDocuments {
  private constructor(
    private readonly texts: ReadonlyMap<string, string>,
    private readonly files: ReadonlyMap<string, string>,
  ) {}

  static readonly NONE = new TrustedDocuments(new Map(), new Map());

  /**
   * Reads all `.graphql` files of a folder and its subfolders; each file is one document.
   *
   * @param sdl the schema against which the documents are validated
   * @throws ConfigError listing the faults of all files
   */
  static in(folder: string, sdl: string): TrustedDocuments {
    const schema = buildSchema(sdl);
    const texts = new Map<string, string>();
    const files = new Map<string, string>();
    const faults: string[] = [];
    for (const name of filesIn(folder)) {
      try {
        const text = readFileSync(join(folder, name), 'utf8');
        for (const form of formsOf(text, documentIn(text, schema))) {
          texts.set(hashOf(form), form);
          files.set(hashOf(form), name);
        }
      } catch (error) {
        faults.push(`${join(folder, name)}: ${(error as Error).message}`);
      }
    }
    if (faults.length > 0) throw new ConfigError(faults);
    return new TrustedDocuments(texts, files);
  }

  textOf(hash: string): string | undefined {
    return this.texts.get(hash);
  }

  /** All forms of all documents. */
  all(): readonly TrustedForm[] {
    return [...this.texts].map(([hash, text]) => ({ hash, text, file: this.files.get(hash) as string }));
  }

  /** The path of the file of a document, relative to the folder; null if there is no such document. */
  fileOf(hash: string): string | null {
    return this.files.get(hash) ?? null;
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function filesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.graphql')).toSorted();
  } catch (error) {
    throw new ConfigError([`STORE_TRUSTED_DOCUMENTS_DIR cannot be read: ${(error as Error).message}.`]);
  }
}

function documentIn(text: string, schema: GraphQLSchema): DocumentNode {
  const document = parse(text);
  const [fault] = validate(schema, document, RULES);
  if (fault) throw fault;
  if (!document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)) {
    throw new Error('There is no operation in it.');
  }
  return document;
}

/**
 * The forms of a document: the text of the file, the same text without blanks at its ends, and the texts that clients
 * print after they have parsed it. Caching clients add `__typename` to their text.
 */
function formsOf(text: string, document: DocumentNode): ReadonlySet<string> {
  return new Set([text, text.trim(), print(document), print(withTypenames(document))]);
}

/**
 * Adds `__typename` as Apollo Client does: at the end of every selection set, except the selection set of the operation
 * itself, and selection sets that already have a field such as `__typename`.
 */
function withTypenames(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet: (set, _key, parent) => {
      const isRoot = parent && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION;
      const isNamed = set.selections.some(
        (selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith('__'),
      );
      if (isRoot || isNamed) return undefined;
      const typename = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const;
      return { ...set, selections: [...set.selections, typename] };
    },
  });
}
