export type Node = Readonly<Record<string, unknown>>;

/**
 * The target of a reference. A target that is a reference itself is followed too. A node without `$ref` is returned.
 */
export function resolved(document: Node, node: Node): Node {
  const reference = node['$ref'];
  if (typeof reference !== 'string') return node;
  const steps = reference.slice(2).split('/');
  const target = steps.reduce<unknown>((at, step) => (at as Node | undefined)?.[step], document);
  if (target === undefined) throw new Error(`openapi.yaml has nothing at ${reference}.`);
  return resolved(document, target as Node);
}
