/** One fault of a contract: its place (file, line, pointer or SDL coordinate) and its text. */
export interface ContractFault {
  readonly place: string;
  readonly text: string;
}

/** The error of a run, with all faults, so that all of them can be corrected together. */
export class ContractError extends Error {
  readonly faults: readonly ContractFault[];

  constructor(faults: readonly ContractFault[]) {
    super(faults.map(({ place, text }) => `${place}: ${text}`).join('\n'));
    this.name = 'ContractError';
    this.faults = faults;
  }
}

/**
 * Gathers faults. A function that finds a fault continues with a harmless value instead of the value that it could not
 * read.
 */
export class Faults {
  readonly #list = new Map<string, ContractFault>();

  /** A fault that is found again, on another path to the same place, counts once. */
  add(place: string, text: string): void {
    this.#list.set(`${place}\n${text}`, { place, text });
  }

  get none(): boolean {
    return this.#list.size === 0;
  }

  throwIfAny(): void {
    if (!this.none) throw new ContractError([...this.#list.values()]);
  }
}
