/**
 * One run of a proof or a test. At its end, everything that the run has started or made is ended or removed, even if
 * the run fails or is interrupted.
 */
export interface Proceeding {
  /** The signal is aborted at the end. Then every process that was started with it is killed. */
  readonly signal: AbortSignal;
  /** Adds a function that is called after `signal` was aborted. The function that was added last is called first. */
  readonly atEnd: (undo: () => unknown) => void;
}
