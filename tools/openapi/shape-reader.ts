import type { Node } from '../json.ts';
import type { Dto, Shape } from '../shape.ts';
import type { Document } from './document.ts';

/** Reads a schema inside of a schema. Objects and unions have functions of their own, which call this reader again. */
export interface ShapeReader {
  readonly document: Document;
  /** Requests have more rules. For example, every object must say whether it accepts further members. */
  readonly use: 'request' | 'answer';
  readonly dtos: Map<string, Dto>;
  /**
   * A value must satisfy all of the nodes. `name` is for the class, if the schema is an object without a name of its
   * own.
   */
  of(nodes: readonly Node[], name: string): Shape | undefined;
  /** Whether the class of this name still has to be filled. The same name for another schema is a fault. */
  claim(name: string, source: Node): boolean;
}
