import { readFile } from 'node:fs/promises';
import { Kind, parse, print, visit, type ASTNode, type NameNode } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { Contract } from '../../tools/contract/complete.ts';
import { Copies } from '../../tools/contract/copies.ts';
import { completeSdl } from '../../tools/contract/sdl.ts';
import { ContractError } from '../../tools/faults.ts';
import { onlyLong, sampled } from '../support/sampled.js';

const [OPENAPI, SDL] = (await Promise.all(
  ['openapi.yaml', 'schema.graphql'].map((name) =>
    readFile(new URL(`../../${name}`, import.meta.url), 'utf8'),
  ),
)) as [string, string];

/**
 * For each of these fields, the arguments that an author writes. The command adds all other arguments, and the
 * directives. An author writes `sort`, because the name of its enum does not follow from openapi.yaml.
 */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  'Query.product': [],
  'Query.products': ['sort'],
  'Query.productsConnection': [],
  'Query.user': [],
  'Query.users': [],
  'Query.usersConnection': [],
  'Query.order': [],
  'Mutation.createProduct': [],
  'Mutation.updateProduct': [],
  'Mutation.deleteProduct': [],
  'Mutation.createUser': [],
  'Mutation.updateUser': [],
  'Mutation.deleteUser': [],
  'Mutation.createOrder': [],
};

/** Fields that authors need not write. */
const ADDED: ReadonlySet<string> = new Set([
  'User.email',
  'User.version',
  'Product.version',
  'Product.change',
  'Product.cursor',
  'Order.cursor',
]);

describe('npm run contract, in schema.graphql', () => {
  it('changes nothing in the finished file', async () => {
    expect(await completeSdl(OPENAPI, SDL)).toEqual({ text: SDL, faults: [] });
  });

  it('completes the short form to the same schema', onlyLong, async () => {
    const { text } = await completeSdl(OPENAPI, essence(SDL));
    expect(normal(text)).toBe(normal(SDL));
    // A second run finds nothing to add.
    expect(await completeSdl(OPENAPI, text)).toEqual({ text, faults: [] });
  });

  it('reports several missing arguments of a field together', async () => {
    const whole = /(?<=\n {2}replaceProduct)\((?:\n {4}.*)+\n {2}\)/;
    expect(SDL).toMatch(whole);
    const { faults } = await completeSdl(OPENAPI, SDL.replace(whole, ''));
    expect(faults.map(({ text }) => text)).toEqual([
      'has no arguments id, name, price, inStock, expectedVersion, which follow from openapi.yaml; npm run contract adds them',
      'has no argument description, which follows from openapi.yaml; npm run contract adds it',
    ]);
  });

  const missing: readonly (readonly [RegExp, readonly string[]])[] = [
    [/(?<=product)\("The id of the product." id: ID!\)(?=: Product )/, ['Query.product has no argument id']],
    [/(?<=product\(.*\): Product) @public/, ['Query.product has no @public']],
    [/ {2}"[^"]*"\n {2}price: Float!\n/, ['Product has no field price']],
  ];
  it.each(sampled(missing, 1))('reports the missing part: %s', async (whole, faults) => {
    expect(SDL).toMatch(whole);
    const { text, faults: found } = await completeSdl(OPENAPI, SDL.replace(whole, ''));
    expect(found.map(({ place, text: fault }) => `${place} ${fault}`)).toEqual(
      faults.map((fault) =>
        expect.stringMatching(
          `^schema.graphql:\\d+:\\d+ ${fault}, which follows from openapi.yaml; npm run contract adds it$`,
        ),
      ),
    );
    expect(normal(text)).toBe(normal(SDL));
  });

  it('keeps the parts that an author has written', async () => {
    const own = SDL.replace(
      '"The id of the product." id: ID!',
      '"Its number." id: ID!, "Of no use." other: Int',
    );
    expect(own).not.toBe(SDL);
    expect(await completeSdl(OPENAPI, own)).toEqual({ text: own, faults: [] });
  });

  describe('the descriptions that npm run contract copied', () => {
    const [SOURCE, COPY] = ['The id of the product.', '"The id of the product." id: ID!'];
    /** The record of the copies, made from the finished files. */
    let recorded: string;
    beforeAll(async () => {
      const copies = new Copies();
      new Contract(OPENAPI, copies).faults();
      await completeSdl(OPENAPI, SDL, copies);
      recorded = String(copies);
    });
    const changed = OPENAPI.replaceAll(`description: ${SOURCE}`, 'description: The number of the product.');

    it('are all in the record', async () => {
      expect(recorded).toBe(
        await readFile(new URL('../../tools/contract/copies.json', import.meta.url), 'utf8'),
      );
    });

    it('follow their sources', async () => {
      const { text, faults } = await completeSdl(changed, SDL, new Copies(recorded));
      expect(text).toContain(COPY.replace(SOURCE, 'The number of the product.'));
      expect(text).not.toContain(COPY);
      expect(faults.map((fault) => `${fault.place} ${fault.text}`)).toContainEqual(
        expect.stringMatching(
          /^schema.graphql:\d+:\d+ Query.product.id has a copied description, and its source has changed; npm run contract copies it again$/,
        ),
      );
      // A second run finds nothing to copy.
      const copies = new Copies(recorded);
      await completeSdl(changed, SDL, copies);
      expect(await completeSdl(changed, text, new Copies(String(copies)))).toEqual({ text, faults: [] });
    });

    it('do not replace other words that an author has written', onlyLong, async () => {
      const own = SDL.replace(COPY, COPY.replace(SOURCE, 'Its number.'));
      const copies = new Copies(recorded);
      const { text } = await completeSdl(changed, own, copies);
      expect(text).toContain('"Its number." id: ID!');
      expect(JSON.parse(String(copies))).not.toHaveProperty(['Query.product.id']);
    });
  });

  it.each([
    [
      'openapi.yaml',
      OPENAPI.replace('summary: List products', 'summary: [oops'),
      SDL,
      /^openapi.yaml:\d+:\d+/,
    ],
    ['schema.graphql', OPENAPI, SDL.replace('type Query {', 'type Query {{'), /^schema.graphql:\d+:\d+/],
  ])('reports the place of a fault of %s', async (_name, openapi, sdl, place) => {
    const error = await completeSdl(openapi, sdl).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ContractError);
    expect((error as ContractError).message).toMatch(place);
  });
});

/**
 * The schema without the parts that the command fills in: the arguments and directives of the fields in `SHORT`, the
 * fields in `ADDED`, connections, and the parts of `Money` and `ProductChange`.
 */
function essence(sdl: string): string {
  let type = '';
  return print(
    visit(parse(sdl), {
      ObjectTypeDefinition: {
        enter({ name }) {
          type = name.value;
          return /(Connection|Edge)$/.test(type) ? null : undefined;
        },
      },
      EnumTypeDefinition: ({ name }) => (name.value === 'ProductChange' ? null : undefined),
      FieldDefinition(field) {
        if (type === 'Money' || ADDED.has(`${type}.${field.name.value}`)) return null;
        const kept = SHORT[`${type}.${field.name.value}`];
        if (kept === undefined) return undefined;
        const args = field.arguments?.filter(({ name }) => kept.includes(name.value)) ?? [];
        return { ...field, arguments: args, directives: [] };
      },
    }),
  );
}

/** The schema without descriptions, and sorted by names. */
function normal(sdl: string): string {
  return print(
    visit(parse(sdl), {
      enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
      leave(node) {
        if (node.kind === Kind.DOCUMENT) return { ...node, definitions: sorted(node.definitions as never[]) };
        if (node.kind === Kind.OBJECT_TYPE_DEFINITION) return { ...node, fields: sorted(node.fields) };
        if (node.kind === Kind.DIRECTIVE) return { ...node, arguments: sorted(node.arguments as never[]) };
        if (node.kind === Kind.FIELD_DEFINITION)
          return { ...node, arguments: sorted(node.arguments), directives: sorted(node.directives) };
        return undefined;
      },
    }),
    // The bound of `Int` may be written or not.
  ).replaceAll('maximum: 2147483647, ', '');
}

function sorted<N extends ASTNode & { readonly name?: NameNode | undefined }>(nodes: readonly N[] = []): N[] {
  return nodes.toSorted((a, b) => ((a.name?.value ?? '') < (b.name?.value ?? '') ? -1 : 1));
}
