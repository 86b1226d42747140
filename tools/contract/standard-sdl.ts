/** The parts of schema.graphql that are alike for every resource. `npm run contract` adds them; see `sdl.ts`. */

/** The arguments of a field that returns a connection. The Cursor Connections Specification names them. */
export const CONNECTION_ARGUMENTS: Readonly<Record<string, string>> = {
  first: `"The number of items from the beginning, or after the cursor \`after\`. Without \`first\` and \`last\` it is 20."
first: Int @constraint(minimum: 1, maximum: 100)`,
  after: `"The result begins after the edge with this cursor. Use it with \`first\` or alone."
after: String @constraint(minLength: 1, maxLength: 2000, pattern: "^[A-Za-z0-9_-]+$")`,
  last: `"The number of items from the end, or before the cursor \`before\`. The result keeps the sequence of the list."
last: Int @constraint(minimum: 1, maximum: 100)`,
  before: `"The result ends before the edge with this cursor. Use it with \`last\` only."
before: String @constraint(minLength: 1, maxLength: 2000, pattern: "^[A-Za-z0-9_-]+$")`,
};

/** The arguments of a list that select the page. A connection has other arguments for this. */
export const PAGE_ARGUMENTS: readonly string[] = ['page', 'limit'];

export const CONNECTION_SIZE =
  '@listSize(slicingArguments: ["first", "last"], sizedFields: ["edges", "nodes"], assumedSize: 20)';

/** @param list the field with the same items in pages, if there is one */
export function connectionDescription(list: string | undefined): string {
  if (list === undefined) return 'The items of the list, with cursors.';
  return `The items that \`${list}\` lists. A cursor replaces the number of the page.`;
}

/** The two types of a connection of `node`. */
export function connectionTypes(node: string): string {
  return `
"A slice of a list, in the form of the GraphQL Cursor Connections Specification."
type ${node}Connection {
  "The items with their cursors, in the order of the list."
  edges: [${node}Edge!]! @cost(weight: 0)
  "The same items without the cursors."
  nodes: [${node}!]!
  "The cursors at both ends of the slice, and whether more edges follow or precede."
  pageInfo: PageInfo! @cost(weight: 0)
  "The number of items in the list. It is null if a filter matches more than 10,000."
  totalCount: Int @cost(weight: 5)
}

"An item in a list, with its cursor."
type ${node}Edge {
  """
  The cursor of this place. It is valid for this list only: with the same filter and sort, and for callers who may see
  the same rows.
  """
  cursor: String!
  "The item."
  node: ${node}!
}
`;
}

/** The argument that stands for `If-Match`. */
export const EXPECTED_VERSION = `"""
The version that the client edited. If the row has changed since, the error is \`PRECONDITION_FAILED\`, and nothing is
written.
"""
expectedVersion: Int @constraint(minimum: 1, maximum: 2147483647) @untied(reason: "REST has \`If-Match\` instead.")`;

/** The argument with which a subscription continues after a cursor. */
export const AFTER_CURSOR = `"The subscription begins with the events after this cursor. Without it, the subscription begins with the next event."
after: ID @constraint(minimum: 0)`;

/** The cost of a field of `Mutation`. It is higher than the default cost, because the field writes. */
export const MUTATION_COST = '@cost(weight: 10)';

/** @param words the name of the row in a sentence */
export function versionField(words: string): string {
  return `"The version rises with every change of the ${words}. \`expectedVersion\` is compared with it."
version: Int! @untied(reason: "REST has entity tags instead.")`;
}

const IN_REST = 'In REST, an event has a type, a cursor and the resource.';

/** The field `cursor` of the rows of a subscription. The engine resolves this field; see `TypeFields`. */
export const CURSOR = `"The cursor of the event, for the argument \`after\`. It is null everywhere except in subscriptions."
cursor: ID @untied(reason: "${IN_REST}")`;

/** The field `change` of the rows of a subscription such as `productChanged`. `*` stands for the type of the field. */
export const CHANGE = `"The change that the event reports. It is null everywhere except in subscriptions."
change: * @untied(reason: "${IN_REST}")`;

/** The enum of `change`. A `VersionedTable` writes events such as `product.created`: the value is the last word. */
export function changeKinds(name: string, words: string): string {
  return `
"The kind of change of the ${words}."
enum ${name}Change @untied(reason: "${IN_REST}") {
  "The ${words} is new."
  created
  "A field of the ${words} shows another value than before."
  updated
  "The ${words} was deleted. The event shows it as it was."
  deleted
}
`;
}
