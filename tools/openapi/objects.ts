import { isObject, member, members as membersIn, nameOf, textOf, type Node } from '../json.ts';
import { className, isInherited, RESERVED_CLASSES } from '../names.ts';
import type { Dto, Member } from '../shape.ts';
import type { Flat } from './flat.ts';
import type { ShapeReader } from './shape-reader.ts';

/**
 * The name of the class of an object. The class is registered before its members are read, so that the class may
 * contain itself.
 */
export function objectOf(shapes: ShapeReader, flat: Flat, fallback: string): string {
  const { document } = shapes;
  const source = flat.component ?? flat.at;
  const name = className(flat.component === null ? fallback : nameOf(flat.component));
  // An answer has a type in a file of its own, and no class.
  if (shapes.use === 'request' && RESERVED_CLASSES.has(name))
    document.fault(flat.at, `the name ${name} is reserved; call it something else`);
  if (!shapes.claim(name, source)) return name;
  const members = membersOf(shapes, flat, name);
  const dto: Dto = {
    name,
    place: document.place(flat.at),
    description: flat.description,
    members,
    open: isOpen(shapes, flat),
    minProperties: flat.bounds.minProperties,
    maxProperties: flat.bounds.maxProperties,
  };
  shapes.dtos.set(name, dto);
  return name;
}

function membersOf(shapes: ShapeReader, flat: Flat, owner: string): Member[] {
  const { document } = shapes;
  for (const name of flat.required) {
    if (!flat.properties.has(name)) document.fault(flat.at, `required names ${name}, which is not a member`);
  }
  return [...flat.properties].flatMap(([name, nodes]): Member[] => {
    const [node] = nodes;
    const tie = tieOfParts(nodes);
    if (isInherited(name) && node !== undefined) document.fault(node, `a member can't be called ${name}`);
    // A member with `x-untied` is not compared, and answers are not checked here, so its shape is not needed.
    if (shapes.use === 'answer' && tie === false) return [];
    // An open object also accepts members that it does not name, so a member without rules needs no entry.
    if (isEndless(flat) && nodes.every(hasNoRules)) return [];
    const shape = shapes.of(nodes, `${owner} ${name}`);
    if (shape === undefined) return [];
    const required = flat.required.has(name);
    if (required && shape.readOnly && shapes.use === 'request') {
      document.fault(node ?? flat.at, `the member ${name} is read-only and can't be required of a client`);
    }
    const stated = nodes.map((part) => member(part, 'default')).find((value) => value !== undefined);
    if (!required && stated !== undefined && shapes.use === 'request') {
      document.fault(
        stated,
        `the optional member ${name} has a default, so generated types would require the member; write the default in a schema of its own: ${name}: { $ref: '#/components/schemas/…' }`,
      );
    }
    return [{ name, required, shape, tie }];
  });
}

function isEndless({ further }: Flat): boolean {
  return further.some(({ rule }) => rule.value === true);
}

function hasNoRules(node: Node): boolean {
  return membersIn(node).every(([name]) => ['title', 'description', 'example', 'examples'].includes(name));
}

/** The `x-graphql` of a member or a parameter; false with `x-untied`, and undefined if it has neither. */
export function tieOfParts(nodes: readonly Node[]): string | false | undefined {
  if (nodes.some((part) => member(part, 'x-untied') !== undefined)) return false;
  return nodes.map((part) => textOf(member(part, 'x-graphql'))).findLast((tie) => tie !== undefined);
}

/**
 * `additionalProperties` knows only the properties beside it. In one part of an `allOf`, it would forbid the properties
 * of the other parts. This is never the intention.
 */
function isOpen(shapes: ShapeReader, flat: Flat): boolean {
  const { document } = shapes;
  const closing = flat.further.filter(({ rule }) => rule.value === false);
  for (const { known, rule } of closing) {
    const shut = [...flat.properties.keys()].filter((name) => !known.has(name));
    if (shut.length > 0) {
      document.fault(
        rule,
        `forbids members of another part of allOf (${shut.join(', ')}); use unevaluatedProperties: false`,
      );
    }
  }
  for (const { rule } of flat.further) {
    if (isObject(rule.value)) document.fault(rule, 'a map with named members is not supported');
  }
  if (flat.further.length === 0 && shapes.use === 'request') {
    document.fault(flat.at, 'additionalProperties must be stated on an object in a request');
  }
  return closing.length === 0;
}
