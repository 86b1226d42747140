/** A schema of JSON Schema 2020-12 without references. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly readOnly?: boolean;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  /** The entity that the schema shows. */
  readonly 'x-entity'?: string;
  /** The members whose values are unique together among the rows of the entity, by the code of the 409. */
  readonly 'x-unique'?: Readonly<Record<string, readonly string[]>>;
  readonly 'x-refers'?: Reference;
}

/** A member that holds the id of another row. */
export interface Reference {
  readonly entity: string;
  /**
   * The code of the refusal if there is no such row. `UNKNOWN` is the code of a fault inside of an answer with the
   * status 400.
   */
  readonly code: string;
  /** The code of the 409 that refuses to delete the row, as long as something refers to it. */
  readonly keeps?: string;
  /** The maximum number of levels in the tree that the rows of the entity form. */
  readonly levels?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: unknown;
}

export interface Documented {
  readonly headers: ReadonlyMap<string, Schema>;
  readonly content: ReadonlyMap<string, Schema>;
}

/** One of the alternatives of access: the scheme of a credential, and the scopes that it must have. */
export interface Way {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The whole path: `/api/v1/products/{id}`. */
  readonly path: string;
  /** The path, and its short form if there is one. */
  readonly paths: readonly string[];
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly isRequired: boolean; readonly media: ReadonlyMap<string, Schema> } | null;
  /** Null when no credential is needed. */
  readonly ways: readonly Way[] | null;
  readonly owner: string | null;
  /**
   * The number of rows that the pages of the list reach (`x-reach`). `all` holds for every request. `filtered` holds
   * only for requests with a filter or another order.
   */
  readonly reach: { readonly all?: number; readonly filtered?: number };
  readonly success: number;
  readonly responses: ReadonlyMap<number, Documented>;
  /** The names of all headers that the contract documents for any answer of any operation, in lower case. */
  readonly named: ReadonlySet<string>;
  /** The field of the SDL that means the same, if it has another name. */
  readonly tie: string | null;
  /** The entity of the first row that the path names by a parameter; null if the path names no row. */
  readonly entity: string | null;
  /** The entity of the row that each parameter of the path names, by the name of the parameter. */
  readonly pathRows: Readonly<Record<string, string>>;
  /** The entity of the row, or of the rows of the list, in the answer of success. */
  readonly shows: string | null;
  /** The row that the operation makes; null if it makes none. */
  readonly makes: Making | null;
  /** The members of the body whose values are unique together, by the code of the 409. */
  readonly uniques: Readonly<Record<string, readonly string[]>>;
  /** The codes with which the operation can answer 409. */
  readonly conflicts: readonly string[];
}

/** A row that an operation makes, and the place of its id in the answer. */
export interface Making {
  readonly entity: string;
  readonly id: readonly string[];
}

export type Node = Record<string, unknown>;
