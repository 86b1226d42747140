import type { Node } from '../json.ts';
import type { Dto, Shape } from '../shape.ts';

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The generated type `ParameterKind`. */
export type ParameterKind = { readonly type: string } | { readonly type: 'array'; readonly items: string };

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly node: Node;
  readonly shape: Shape;
}

export interface Parameters {
  readonly dto: Dto;
  readonly kinds: Readonly<Record<string, ParameterKind>>;
  /** The costs of the parameters that have one (`x-cost`). */
  readonly costs: Readonly<Record<string, number>>;
  /** False when all of the parameters only control the form of the answer (`x-answer`). */
  readonly isHanded: boolean;
}

export interface Body {
  /** The name of the class. */
  readonly dto: string;
  readonly mediaTypes: readonly string[];
  readonly required: boolean;
  readonly readOnly: readonly string[];
  readonly maxBytes: number;
  /** The name of the class of a JSON patch; null when the body is never one. */
  readonly patch: string | null;
}

export interface Answer {
  readonly status: number;
  readonly mediaTypes: readonly string[];
  readonly shape: 'entity' | 'page' | 'slice' | 'export' | 'plain' | 'none';
  readonly entity: string | null;
  readonly key: string | null;
  readonly locationOf: string | null;
  readonly headers: readonly string[];
  /** The schema of the body. */
  readonly schema: Node | null;
  /** The schema of the entity in the body. */
  readonly entitySchema: Node | null;
}

export interface Security {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

/** One method of one path of the document. */
export interface Endpoint {
  readonly node: Node;
  readonly pathItem: Node;
  readonly method: string;
  readonly template: string;
  readonly id: string;
}

export interface Operation extends Endpoint {
  readonly paths: readonly string[];
  readonly version: string | null;
  readonly tag: string;
  /** The operation whose handler serves this operation too; see `same.ts`. */
  readonly sameAs: string | null;
  readonly security: readonly (readonly Security[])[];
  readonly owner: string | null;
  /** The value of `x-cost`. */
  readonly cost: number;
  readonly path: Parameters | null;
  readonly query: Parameters | null;
  readonly headers: Parameters | null;
  readonly body: Body | null;
  readonly answer: Answer;
  readonly statuses: readonly number[];
}

/** The operations, scopes, schemes and classes of openapi.yaml. */
export interface Rest {
  readonly operations: readonly Operation[];
  readonly scopes: readonly string[];
  readonly schemes: readonly string[];
  /** The classes that bodies need, by name. */
  readonly dtos: ReadonlyMap<string, Dto>;
}
