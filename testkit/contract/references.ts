export type Node = Readonly<Record<string, unknown>>;

/** The target of a reference, also through further references. A node that is no reference is returned itself. */
export function resolved(document: Node, node: Node): Node {
  const reference = node['$ref'];
  if (typeof reference !== 'string') return node;
  const steps = reference.slice(2).split('/');
  const target = steps.reduce<unknown>((at, step) => (at as Node | undefined)?.[step], document);
  if (target === undefined) throw new Error(`openapi.yaml has nothing at ${reference}.`);
  return resolved(document, target as Node);
}
