/** Everything that was started is ended and undone at the end, for any reason. */
export interface Proceeding {
  /** Aborted at the end: every process that was started with it is killed. */
  readonly signal: AbortSignal;
  /** Adds a function that is called after `signal` was aborted. The last function is called first. */
  readonly atEnd: (undo: () => unknown) => void;
}
