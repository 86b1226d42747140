/**
 * One fault of a contract: its text and its place. The place is the file, usually with the line. Many places also have
 * a JSON pointer or an SDL coordinate.
 */
export interface ContractFault {
  readonly place: string;
  readonly text: string;
}

/**
 * `npm run codegen` and `npm run contract` fail with this error. The error has all faults that were found, so that an
 * author can correct them together.
 */
export class ContractError extends Error {
  readonly faults: readonly ContractFault[];

  constructor(faults: readonly ContractFault[]) {
    super(faults.map(({ place, text }) => `${place}: ${text}`).join('\n'));
    this.name = 'ContractError';
    this.faults = faults;
  }
}

/**
 * Gathers faults, so that one run reports many of them. A function that adds a fault normally continues. If it could
 * not read a value, it uses a harmless value instead.
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
