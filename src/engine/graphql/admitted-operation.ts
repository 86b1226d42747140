import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Size } from './limits.js';

/** The parts of a request from which its operation is read. */
export interface OperationRequest {
  readonly query?: string | undefined;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  /** Absent if the operation came on a connection that stays open. */
  readonly http?: { readonly method: string } | undefined;
}

/** An operation that was read, and may be executed; see `OperationReader`. */
export interface AdmittedOperation {
  readonly text: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The variables as the client has sent them. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The values of the variables: converted to their types, with the defaults. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly size: Readonly<Size>;
}
