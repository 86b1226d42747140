interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  text: string;
}

const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>|([^<]+)/g;
const ATTRIBUTE = /([a-z-]+)(?:="([^"]*)")?/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** The value that a page shows, read by the rules of the contract. */
export function pageIn(text: string): unknown {
  const start = /<[a-z]+[^>]*\sdata-answer[\s>]/.exec(text);
  if (!start) throw new Error('This page has no answer.');
  return valueIn(elementAt(text, start.index));
}

function elementAt(text: string, index: number): Element {
  const root: Element = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [root];
  for (const [token, slash, name, attributes, characters] of text.slice(index).matchAll(TOKEN)) {
    const inner = open.at(-1) as Element;
    if (characters !== undefined) inner.text += decoded(characters);
    else if (slash === '/') {
      if (open.pop()?.name !== name)
        throw new Error(`The elements of the page are not nested correctly at ${token}.`);
      if (open.length === 1) break;
    } else {
      const pairs = [...(attributes ?? '').matchAll(ATTRIBUTE)];
      const known = new Map(pairs.map(([, key, value]) => [key as string, decoded(value ?? '')]));
      const element: Element = { name: name as string, attributes: known, children: [], text: '' };
      inner.children.push(element);
      open.push(element);
    }
  }
  return root.children[0] as Element;
}

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([0-9a-fA-F]+)|([a-z]+));/g, (_, decimal, hex, name: string) => {
    if (decimal) return String.fromCodePoint(Number(decimal));
    if (hex) return String.fromCodePoint(Number.parseInt(hex as string, 16));
    const character = ENTITIES[name];
    if (character === undefined) throw new Error(`The entity ${name} is unknown.`);
    return character;
  });
}

const NAMES = new Set(['data', 'time', 'bdi', 'ul', 'dl', 'table']);

function firstIn(holder: Element): Element | undefined {
  for (const child of holder.children) {
    if (NAMES.has(child.name) || child.attributes.has('data-null') || child.attributes.has('data-empty'))
      return child;
    const inner = firstIn(child);
    if (inner) return inner;
  }
  return undefined;
}

function valueIn(holder: Element): unknown {
  const found = firstIn(holder);
  if (!found) throw new Error(`There is no value in a ${holder.name} of the page.`);
  const { name, attributes, children } = found;
  if (attributes.has('data-null')) return null;
  if (attributes.has('data-empty')) return [];
  switch (name) {
    case 'data':
      return JSON.parse(attributes.get('value') ?? '') as unknown;
    case 'time':
      return attributes.get('datetime');
    case 'bdi':
      return found.text;
    case 'ul':
      return children.map(valueIn);
    case 'dl':
      return membersIn(children.flatMap((row) => row.children.filter((each) => each.name === 'dd')));
    default:
      return (children.find((child) => child.name === 'tbody')?.children ?? []).map((row) =>
        membersIn(row.children),
      );
  }
}

function membersIn(holders: readonly Element[]): Record<string, unknown> {
  return Object.fromEntries(
    holders
      .filter(({ attributes, children }) => attributes.has('data-name') && children.length > 0)
      .map((holder) => [holder.attributes.get('data-name') as string, valueIn(holder)]),
  );
}
