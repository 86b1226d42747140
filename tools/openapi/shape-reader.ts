import type { Node } from '../json.ts';
import type { Dto, Shape } from '../shape.ts';
import type { Document } from './document.ts';

/** Reads a schema inside of a schema. An object and a union are read by functions of their own, which come back to it. */
export interface ShapeReader {
  readonly document: Document;
  /** In a request every object must say whether it takes further members. */
  readonly use: 'request' | 'answer';
  readonly dtos: Map<string, Dto>;
  /** All of the nodes must hold; `name` is for the class, if it is an object that has no name of its own. */
  of(nodes: readonly Node[], name: string): Shape | undefined;
  /** Says whether the class of this name is still to be filled; the same name for something else is a fault. */
  claim(name: string, source: Node): boolean;
}
