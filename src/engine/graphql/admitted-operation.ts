import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Size } from './limits.js';

/** An operation that was read, and may be executed; see `OperationReader`. */
export interface AdmittedOperation {
  readonly text: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly size: Readonly<Size>;
}
