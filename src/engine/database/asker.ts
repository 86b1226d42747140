/** The caller for whom rows are passed over. The scans of one caller run one after another. */
export interface Asker {
  /** Identifies the caller: equal for all requests that count as one caller. */
  readonly name: string;
  /** Whether the client no longer waits for the answer. */
  readonly isGone: () => boolean;
}

/** The service itself, for its own reads. */
export const SERVICE_ASKER: Asker = { name: 'service', isGone: () => false };
