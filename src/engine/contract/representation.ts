import { Injectable, SetMetadata } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Currency } from '../values/currency.js';
import { isoOf } from '../values/moment.js';
import type { Entity, Represented } from '../../generated/contract.js';
import type { EntityName } from '../../generated/operations.js';
import { PLAIN, type Forms } from '../../generated/plain.js';

export type ApiVersion = keyof Represented;

/**
 * Turns an entity into the representation of one version of the HTTP interface. If the members of the representation
 * show columns of the same names, no class is needed, because there is a generated function (`PLAIN`). No other code
 * makes representations. So a column that the contract does not name cannot be in an answer, in any format.
 */
export interface Representation<V extends ApiVersion, K extends keyof Represented[V] & EntityName> {
  present(entity: Entity<K>): Represented[V][K];
}

const REPRESENTS = 'contract:represents';

/**
 * Registers a provider as the only representation of an entity in a version, or in several versions that show the same
 * fields.
 */
export function Represents<V extends ApiVersion, K extends keyof Represented[V] & EntityName>(
  version: V | readonly V[],
  entity: K,
) {
  return (target: new (...dependencies: never[]) => Representation<V, K>): void => {
    const versions = typeof version === 'string' ? [version] : version;
    SetMetadata(
      REPRESENTS,
      versions.map((each) => `${each} ${entity}`),
    )(target);
  };
}

export type Present = (entity: unknown) => Record<string, unknown>;

/** Finds all representations among the providers when the first route asks for a representation. */
@Injectable()
export class Representations {
  private byName: ReadonlyMap<string, Present> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly currency: Currency,
  ) {}

  /**
   * @throws Error at start when neither a provider nor a generated function represents the entity, or when two
   *   providers represent one entity in the same version
   */
  of(version: string, entity: string): Present {
    this.byName ??= this.collect();
    const present = this.byName.get(`${version} ${entity}`) ?? plainOf(version, entity, this.currency);
    if (!present) throw new Error(`No provider is marked @Represents('${version}', '${entity}').`);
    return present;
  }

  private collect(): ReadonlyMap<string, Present> {
    const byName = new Map<string, Present>();
    for (const { instance, metatype } of this.discovery.getProviders()) {
      const names = (metatype && Reflect.getMetadata(REPRESENTS, metatype)) as readonly string[] | undefined;
      for (const name of names ?? []) {
        if (byName.has(name)) throw new Error(`There are two representations of ${name}.`);
        const representation = instance as { present: Present };
        byName.set(name, (entity) => representation.present(entity));
      }
    }
    return byName;
  }
}

export function formsOf(currency: Currency): Forms {
  return {
    moment: isoOf,
    major: (minor) => currency.toMajor(minor),
    money: (minor) => currency.toMoney(minor),
  };
}

/** The generated representation of an entity; undefined if the entity needs a class with `@Represents`. */
function plainOf(version: string, entity: string, currency: Currency): Present | undefined {
  type Plainly = Readonly<Record<string, (row: never, forms: Forms) => object>>;
  const present = (PLAIN as Readonly<Record<string, Plainly>>)[version]?.[entity];
  const forms = formsOf(currency);
  return present && ((row) => present(row as never, forms) as Record<string, unknown>);
}
