import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { GraphQLResolveInfo } from 'graphql';
import type { AnyRequest } from '../../engine/contract/any-request.js';
import { operationOf } from '../../engine/contract/operation.js';
import type { Context } from '../../engine/contract/context.js';
import { FIELDS } from '../../generated/fields.js';
import { OPERATIONS } from '../../generated/operations.js';
import { fieldPolicy, operationPolicy, type Policy } from '../../engine/access/policy.js';
import type { Principal } from '../../engine/access/principal.js';

/**
 * The one guard of REST and of GraphQL. The contracts say what it allows. It refuses an operation that has no row in
 * `OPERATIONS`, and a field that has no access rule in `FIELDS`. Both tables are generated from the contracts.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly operations = new Map<unknown, Policy>(
    Object.values(OPERATIONS).map((row) => [row.id, operationPolicy(row)]),
  );
  // The policies are cached here, because every request needs a policy, and a search for metadata along the prototypes
  // is slow.
  private readonly byHandler = new WeakMap<object, Policy>();
  private readonly fields = new Map<string, Policy>(
    Object.entries(FIELDS)
      .filter(([, field]) => field.access !== null)
      .map(([name, field]) => [name, fieldPolicy(field)]),
  );

  canActivate(execution: ExecutionContext): boolean {
    const [policy, principal] =
      execution.getType<'http' | 'graphql'>() === 'graphql'
        ? this.ofField(execution)
        : this.ofOperation(execution);
    policy?.rowAccessOf(principal);
    return policy !== undefined;
  }

  private ofOperation(execution: ExecutionContext): [Policy | undefined, Principal] {
    const request = execution.getArgByIndex<AnyRequest>(0);
    return [this.policyOf(execution.getHandler()), request.principal];
  }

  private policyOf(handler: object): Policy | undefined {
    let policy = this.byHandler.get(handler);
    if (policy === undefined) {
      policy = this.operations.get(operationOf(handler));
      if (policy) this.byHandler.set(handler, policy);
    }
    return policy;
  }

  private ofField(execution: ExecutionContext): [Policy | undefined, Principal] {
    const info = execution.getArgByIndex<GraphQLResolveInfo>(3);
    const context = execution.getArgByIndex<Context>(2);
    return [this.fields.get(`${info.parentType.name}.${info.fieldName}`), context.principal];
  }
}
