import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { SCHEMA_GRAPHQL } from '../../src/engine/contract/documents.js';
import * as classes from '../../src/generated/dto.js';
import { isReservedType, RESERVED_CLASSES } from '../../tools/names.ts';

/** The files that declare or import the classes of input. */
const WITH_CLASSES = ['contract.ts', 'dto.ts', 'fields.ts', 'operations.ts'];

const parsed = (name: string): ts.SourceFile =>
  ts.createSourceFile(
    name,
    readFileSync(new URL(`../../src/generated/${name}`, import.meta.url), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );

/**
 * Whether the identifier is the name of a member of an object. Such a name does not clash with the names of the file.
 */
function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  return (
    (ts.isPropertySignature(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isPropertyAccessExpression(parent)) &&
    parent.name === node
  );
}

/**
 * The names that the file declares, imports or reads. Only names that begin with a capital letter count. The names of
 * type parameters do not count.
 */
function namesIn(file: string): ReadonlySet<string> {
  const found = new Set<string>();
  const local = new Set<string>();
  const search = (node: ts.Node): void => {
    if (ts.isTypeParameterDeclaration(node)) local.add(node.name.text);
    if (ts.isIdentifier(node) && /^[A-Z]/.test(node.text) && !isMember(node)) found.add(node.text);
    ts.forEachChild(node, search);
  };
  search(parsed(file));
  return found.difference(local);
}

/** Whether a class of the contract can have this name. `className` makes no name with `_`. */
const isClassName = (name: string): boolean => !name.includes('_');

describe('the reserved names', () => {
  it('of classes are the names that the generated files use themselves', () => {
    const own = WITH_CLASSES.flatMap((file) => [...namesIn(file)]);
    const taken = own.filter((name) => !Object.hasOwn(classes, name) && isClassName(name));
    expect([...RESERVED_CLASSES].toSorted()).toEqual([...new Set(taken)].toSorted());
  });

  it('of types include the names that the generated types use themselves, and no type of the contract has one', () => {
    const types = buildSchema(SCHEMA_GRAPHQL).getTypeMap();
    const own = [...namesIn('graphql.ts')].filter(
      (name) => !Object.hasOwn(classes, name) && !Object.hasOwn(types, name),
    );
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter((name) => !isReservedType(name))).toEqual([]);
    expect(Object.keys(types).filter(isReservedType)).toEqual([]);
  });
});
