import type { ASTNode } from 'graphql';
import type { Change, Edit } from './edit.ts';

export function changed(what: string, edit: Edit): Change {
  return { what, edit };
}

export function replaced(node: ASTNode, text: string): Edit {
  return { start: startOf(node), end: endOf(node), text };
}

export function gone(node: ASTNode): Edit {
  return replaced(node, '');
}

export function at(offset: number, text: string): Edit {
  return { start: offset, end: offset, text };
}

export function startOf(node: ASTNode): number {
  return node.loc?.start ?? 0;
}

export function endOf(node: ASTNode): number {
  return node.loc?.end ?? 0;
}
