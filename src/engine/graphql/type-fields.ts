import { Injectable } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { getNamedType, isObjectType, type GraphQLSchema } from 'graphql';
import { eventOf, type StoreEvent } from '../events/store-event.js';
import { directQuery, guardsOf, type Resolve } from './direct-query.js';
import { fieldOf } from './field.js';
import { ROOTS } from './roots.js';

/**
 * Binds the methods with `@TypeField` to the schema. Nest itself would put guards, pipes and filters around each
 * method. They would make a promise for every field of every row. The fields of `Query` keep the guards; see
 * `directQuery`.
 */
@Injectable()
export class TypeFields {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly config: ApplicationConfig,
  ) {}

  /**
   * @throws Error if the schema does not have the field of a method. This method does not check the fields of
   *   `Mutation` and `Subscription`
   */
  bindTo(schema: GraphQLSchema): GraphQLSchema {
    bindEventsOf(schema);
    for (const { name, instance, method } of this.methods()) {
      const [typeName = '', fieldName = ''] = name.split('.');
      if (ROOTS.has(typeName) && typeName !== 'Query') continue;
      const type = schema.getType(typeName);
      const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
      if (!field) throw new Error(`There is no field ${name} in the schema.`);
      if (typeName !== 'Query') field.resolve = method.bind(instance);
      else if (field.resolve) {
        const guards = guardsOf(this.config, instance, method);
        if (guards) field.resolve = directQuery(guards, instance, method, field.resolve);
        field.extensions = { ...field.extensions, guards };
      }
    }
    return schema;
  }

  private methods(): Method[] {
    return this.discovery.getProviders().flatMap(({ instance }): Method[] => {
      if (typeof instance !== 'object' || instance === null) return [];
      const methods = Object.getPrototypeOf(instance) as Record<string, Resolve>;
      return this.scanner.getAllMethodNames(methods).flatMap((key): Method[] => {
        const method = methods[key] as Resolve;
        const name = fieldOf(method);
        return name === undefined ? [] : [{ name, instance: instance as object, method }];
      });
    });
  }
}

/** In a row that a subscription delivers, these fields describe the event. In queries and mutations they are null. */
const OF_EVENTS: Readonly<Record<string, (event: StoreEvent) => string>> = {
  cursor: ({ position }) => position.toString(),
  change: ({ type }) => type.slice(type.lastIndexOf('.') + 1),
};

/** A row may have a member of its own with one of these names. Then the field shows this member. */
function bindEventsOf(schema: GraphQLSchema): void {
  for (const { type } of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const row = getNamedType(type);
    if (!isObjectType(row)) continue;
    for (const [name, read] of Object.entries(OF_EVENTS)) {
      const field = row.getFields()[name];
      if (field === undefined) continue;
      field.resolve = (parent: object) => {
        if (name in parent) return (parent as Readonly<Record<string, unknown>>)[name];
        const event = eventOf(parent);
        return event ? read(event) : null;
      };
    }
  }
}

interface Method {
  /** The field of the schema, such as `Product.price`. */
  readonly name: string;
  readonly instance: object;
  readonly method: Resolve;
}
