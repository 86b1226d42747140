/** The caller of a long read. The scans (the statements of long reads) of one caller run one after another. */
export interface Asker {
  /** Identifies the caller: equal for all requests that count as one caller. */
  readonly name: string;
  /** Whether the client no longer waits for the answer. */
  readonly isGone: () => boolean;
}
