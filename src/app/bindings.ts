import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { FIELDS } from '../generated/fields.js';
import { OPERATIONS } from '../generated/operations.js';
import { fieldOf, isGuarded } from '../engine/graphql/field.js';
import { ROOTS } from '../engine/graphql/roots.js';
import { operationOf } from '../engine/contract/operation.js';

/**
 * Stops the start unless every operation, every root field and every field marked `@auth` has exactly one handler. The
 * compiler checks names and types. But only the start shows whether a controller is in a module.
 */
@Injectable()
export class Bindings implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const operations = this.handlers(this.discovery.getControllers(), operationOf);
    const fields = this.handlers(this.discovery.getProviders(), fieldOf);
    // A guarded field needs a handler too, because the guard runs around the handler. Without a handler, the field
    // would be read from the entity without a check.
    const bound = Object.entries(FIELDS)
      .filter(([, field]) => ROOTS.has(field.type) || isGuarded(field))
      .map(([name]) => name);
    const faults = [
      ...faultsOf('operation', Object.keys(OPERATIONS), operations),
      ...faultsOf(
        'field',
        bound,
        fields.filter((name) => bound.includes(name) || !Object.hasOwn(FIELDS, name)),
      ),
    ];
    if (faults.length > 0)
      throw new Error(`The application does not fit its contracts:\n${faults.join('\n')}`);
  }

  private handlers(
    wrappers: ReturnType<DiscoveryService['getProviders']>,
    nameOf: (handler: object) => string | undefined,
  ): string[] {
    return wrappers.flatMap(({ instance }) => {
      if (typeof instance !== 'object' || instance === null) return [];
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      return this.scanner
        .getAllMethodNames(prototype)
        .map((method) => nameOf(prototype[method] as object))
        .filter((name) => name !== undefined);
    });
  }
}

function faultsOf(what: string, wanted: readonly string[], handled: readonly string[]): string[] {
  const count = (name: string): number => handled.filter((candidate) => candidate === name).length;
  return [
    ...wanted.filter((name) => count(name) === 0).map((name) => `  - the ${what} ${name} has no handler`),
    ...wanted.filter((name) => count(name) > 1).map((name) => `  - the ${what} ${name} has several handlers`),
    ...handled
      .filter((name) => !wanted.includes(name))
      .map((name) => `  - the ${what} ${name} is not in the contract`),
  ];
}
