import {
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  OperationTypeNode,
  SingleFieldSubscriptionsRule,
  type DirectiveNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

const CONDITIONS: readonly string[] = [GraphQLSkipDirective.name, GraphQLIncludeDirective.name];

/**
 * Requires that the root of a subscription has one field, without `@skip` or `@include` (GraphQL specification of
 * September 2025, section 5.2.4.1). graphql-js 16 has the older rule, which allows both directives. But without the
 * values of variables it cannot decide on them, and it cannot execute a subscription without a field.
 */
export const subscriptionRootRule: ValidationRule = (context) => {
  const { OperationDefinition: requireSingleField } = SingleFieldSubscriptionsRule(context) as {
    OperationDefinition(this: void, node: OperationDefinitionNode): void;
  };
  return {
    OperationDefinition: (node) => {
      if (node.operation !== OperationTypeNode.SUBSCRIPTION) return;
      const conditions = conditionsIn(node.selectionSet, context, new Set());
      if (conditions.length === 0) return requireSingleField(node);
      context.reportError(
        new GraphQLError(
          'The root of a subscription must not have @skip or @include. Decide before you subscribe, or put the directive on a field inside.',
          { nodes: conditions },
        ),
      );
    },
  };
};

/** @param seen the fragments that are not searched again */
function conditionsIn(
  { selections }: SelectionSetNode,
  context: ValidationContext,
  seen: Set<string>,
): readonly DirectiveNode[] {
  return selections.flatMap((selection) => {
    const own = (selection.directives ?? []).filter(({ name }) => CONDITIONS.includes(name.value));
    if (selection.kind === Kind.FIELD) return own;
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return [...own, ...conditionsIn(selection.selectionSet, context, seen)];
    const { value } = selection.name;
    const fragment = seen.has(value) ? null : context.getFragment(value);
    seen.add(value);
    return fragment ? [...own, ...conditionsIn(fragment.selectionSet, context, seen)] : own;
  });
}
