import { Kind, type DocumentNode, type FragmentDefinitionNode } from 'graphql';

/** The fragments of a document, by their names. */
export function fragmentsIn(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}
