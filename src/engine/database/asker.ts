/** The caller of a long read. The scans (the statements of long reads) of one caller run one after another. */
export interface Asker {
  /** Identifies the caller. All requests that are counted as one caller have the same name. */
  readonly name: string;
  /** Whether the client no longer waits for the answer. */
  readonly isGone: () => boolean;
}
