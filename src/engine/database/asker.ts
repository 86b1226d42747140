/** On whose behalf rows are passed over: what one caller asks for at once is done one after another. */
export interface Asker {
  /** The same for all that counts as one caller. */
  readonly name: string;
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean;
}

/** The service itself, for what it reads on its own account. */
export const SERVICE_ASKER: Asker = { name: 'service', isGone: () => false };
