import type { Json } from './json.ts';

/** The statements of a contract about a value, in one form for both contracts: `allOf` merged, references followed. */
export interface Shape {
  /** The place of these statements in the contract, for messages. */
  readonly place: string;
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'array' | 'map' | 'object' | 'union';
  readonly nullable: boolean;
  readonly bounds: Bounds;
  readonly messages: Messages;
  /** The allowed values without null, from `enum` or `const`. */
  readonly values: readonly (string | number | boolean)[] | null;
  readonly format: string | null;
  /** The items of an array or a map. */
  readonly items: Shape | null;
  /** The name of the class of an object. */
  readonly dto: string | null;
  /** The `x-graphql` of the schema itself. */
  readonly tie: string | null;
  readonly union: Union | null;
  readonly default: Json | undefined;
  readonly readOnly: boolean;
  readonly description: string | undefined;
  /** `x-graphql-enum`: the names of the values in the SDL. */
  readonly enumNames: ReadonlyMap<string, string> | null;
  /** An `ID` of GraphQL: it arrives as text, and is an integer. */
  readonly id: boolean;
}

/** `x-message`, by pattern: the requirement of the pattern in words. */
export type Messages = ReadonlyMap<string, string>;

export interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: readonly number[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly patterns?: readonly string[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** One of several classes. The value of one of their members decides which class applies. */
export interface Union {
  readonly property: string;
  readonly dtos: ReadonlyMap<string, string>;
  /** Whether the application validates each value by its class, instead of the request as a whole. */
  readonly apart: boolean;
}

export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
  /** The `x-graphql` of the member itself; undefined if there is none, and false if the member must not be tied. */
  readonly tie: string | false | undefined;
  /** The cost of a parameter that has one (`x-cost`). */
  readonly cost?: number;
}

/** A class to be generated. */
export interface Dto {
  readonly name: string;
  readonly place: string;
  readonly description: string | undefined;
  readonly members: readonly Member[];
  /** Whether members that are not named here are allowed. */
  readonly open: boolean;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
}

export const SHAPE_DEFAULTS = {
  nullable: false,
  bounds: {},
  messages: new Map<string, string>(),
  values: null,
  format: null,
  items: null,
  dto: null,
  tie: null,
  union: null,
  default: undefined,
  readOnly: false,
  description: undefined,
  enumNames: null,
  id: false,
} as const satisfies Omit<Shape, 'place' | 'kind'>;

export const INT32 = { minimum: -2_147_483_648, maximum: 2_147_483_647 } as const;
/** The bounds of an id, which is an `ID` of GraphQL. */
export const ID = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;
export const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;

/** The bounds of a value that must satisfy both: the narrower bound of each kind, every pattern and every step. */
export function narrow(a: Bounds, b: Bounds): Bounds {
  const bounds: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const other = bounds[name];
    if (other === undefined) bounds[name] = value;
    else if (Array.isArray(value)) bounds[name] = [...new Set([...(other as unknown[]), ...value])];
    else if (typeof value === 'boolean') bounds[name] = value || other;
    else
      bounds[name] = /^(min|exclusiveMin)/.test(name)
        ? Math.max(value, other as number)
        : Math.min(value, other as number);
  }
  return bounds;
}
