/** One thing that is wrong with a contract: where (file, line, pointer or SDL coordinate) and what. */
export interface ContractFault {
  readonly place: string;
  readonly text: string;
}

/** Thrown once per run, with everything that was found, so that a contract can be mended in one go. */
export class ContractError extends Error {
  readonly faults: readonly ContractFault[];

  constructor(faults: readonly ContractFault[]) {
    super(faults.map(({ place, text }) => `${place}: ${text}`).join('\n'));
    this.name = 'ContractError';
    this.faults = faults;
  }
}

/** Gathers faults; a part that finds one goes on with something harmless in place of what it could not read. */
export class Faults {
  readonly #list = new Map<string, ContractFault>();

  /** The same fault found again, on another way to the same place, counts once. */
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
