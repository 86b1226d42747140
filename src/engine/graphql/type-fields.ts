import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import { ROOTS } from './roots.js';
import type { GraphqlContext } from './context.js';
import { fieldOf } from './field.js';

type Resolve = GraphQLFieldResolver<unknown, GraphqlContext>;

/**
 * Binds the methods with `@TypeField` to the schema. Nest itself would put guards, pipes and filters around each
 * method. These would make a promise for every field of every row.
 */
@Injectable()
export class TypeFields {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws Error when a method is bound to a field that the schema does not have */
  bindTo(schema: GraphQLSchema): GraphQLSchema {
    for (const [name, resolve] of this.resolvers()) {
      const [typeName = '', fieldName = ''] = name.split('.');
      if (ROOTS.has(typeName)) continue;
      const type = schema.getType(typeName);
      const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
      if (!field) throw new Error(`There is no field ${name} in the schema.`);
      field.resolve = resolve;
    }
    return schema;
  }

  private resolvers(): [string, Resolve][] {
    return this.discovery.getProviders().flatMap(({ instance }): [string, Resolve][] => {
      if (typeof instance !== 'object' || instance === null) return [];
      const methods = Object.getPrototypeOf(instance) as Record<string, Resolve>;
      return this.scanner.getAllMethodNames(methods).flatMap((key): [string, Resolve][] => {
        const method = methods[key] as Resolve;
        const name = fieldOf(method);
        return name === undefined ? [] : [[name, method.bind(instance)]];
      });
    });
  }
}
