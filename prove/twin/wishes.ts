import { TEXTS } from '../contract/samples.ts';
import type { Values } from '../contract/values.ts';
import type { Intent, ProductChange, ProductMembers, UserMembers, Wish } from './intents.ts';
import { NEXT } from './effects.ts';
import type { Model } from './model.ts';
import { kindOf } from './mutations.ts';
import type { Kind } from './shapes.ts';

const STATUSES = Object.keys(NEXT);
const PRICES = [0, 1, 99, 100, 1005, 1850, 1_000_000_000, 999_999_999];
const MOST = { product: 250, user: 130 };
const UNKNOWN = 900_000;
const FAULTY = 0.12;
/** More texts, for members that allow tabs and line breaks. */
const LINES = [
  'one\ntwo',
  '\ttab',
  'a\n\n b',
  '"quoted", and, commas',
  '@sum',
  '+1',
  '-1',
  '\u2028x',
  '<b>&amp;</b>',
];

/** Makes random wishes. */
export class Wishes {
  readonly #values: Values;
  readonly #model: Model;
  #count = 0;

  constructor(values: Values, model: Model) {
    this.#values = values;
    this.#model = model;
  }

  next(): Wish {
    const intent = this.#intent();
    const wish: Wish = { intent, who: 'admin' };
    if (this.#values.chance(FAULTY)) return this.#spoilt(wish);
    const version = this.#versionOf(intent);
    return version !== undefined && this.#values.chance(0.2) ? { ...wish, expectedVersion: version } : wish;
  }

  #intent(): Intent {
    const { products, users, orders } = this.#model;
    const way = this.#values.random();
    if (products.size < 3) return { action: 'createProduct', members: this.#product(true) };
    if (users.size < 2) return { action: 'createUser', members: this.#user(true) };
    if (way < 0.14 && products.size < MOST.product)
      return { action: 'createProduct', members: this.#product(true) };
    if (way < 0.34)
      return { action: 'updateProduct', id: this.#id('product'), members: this.#product(false) };
    if (way < 0.42) return { action: 'replaceProduct', id: this.#id('product'), members: this.#whole() };
    if (way < 0.47) return { action: 'deleteProduct', id: this.#id('product') };
    if (way < 0.58) {
      const quantity = this.#values.one([null, 0, 1, 3, 10, 1_000_000_000]);
      return { action: 'setProductStock', id: this.#id('product'), quantity };
    }
    if (way < 0.62) return this.#batch();
    if (way < 0.69 && users.size < MOST.user) return { action: 'createUser', members: this.#user(true) };
    if (way < 0.75) return { action: 'updateUser', id: this.#id('user'), members: this.#user(false) };
    if (way < 0.78) return { action: 'replaceUser', id: this.#id('user'), members: this.#user(true) };
    if (way < 0.8) return { action: 'deleteUser', id: this.#id('user'), anonymise: this.#values.chance(0.5) };
    if (way < 0.91 || orders.size === 0) return this.#order();
    const id = this.#id('order');
    const next = NEXT[orders.get(id)?.status ?? '']?.filter(() => this.#values.chance(0.6)) ?? [];
    return { action: 'updateOrderStatus', id, status: next[0] ?? this.#values.one(STATUSES) };
  }

  /** Returns an id, which is mostly the id of an existing row. */
  #id(kind: Kind): number {
    const ids = [...this.#model.rows(kind).keys()];
    if (this.#values.chance(0.04)) return this.#values.one([UNKNOWN, Math.max(...ids) + 100]);
    return this.#values.one(ids);
  }

  #text(): string {
    const { one, below, chance, word } = bound(this.#values);
    const text = one(TEXTS);
    if (chance(0.2)) return one(['x', '😀', 'é', '&']).repeat(200);
    return chance(0.5) ? text : `${text} ${word(below(5) + 1)} `;
  }

  #product(isNew: boolean): ProductMembers {
    const { one, below, chance } = bound(this.#values);
    const has = (share: number): boolean => chance(share);
    const members: ProductMembers = {
      ...((isNew || has(0.5)) && { name: has(0.2) ? one(LINES) : this.#text() }),
      ...((isNew || has(0.4)) && { price: has(0.5) ? one(PRICES) : below(40) * 25 }),
      ...(has(0.3) && { inStock: has(0.6) }),
      ...(has(0.3) && { description: one([null, '', this.#text(), one(LINES), 'é'.repeat(5000)]) }),
    };
    return Object.keys(members).length > 0 ? members : { inStock: true };
  }

  #whole(): ProductMembers {
    return { inStock: this.#values.chance(0.7), ...this.#product(true) };
  }

  #user(isNew: boolean): UserMembers {
    this.#count += 1;
    const { one, chance } = bound(this.#values);
    const others = [...this.#model.users.values()];
    const email =
      chance(0.1) && others.length > 0
        ? one(others).email.toUpperCase()
        : `${one(['u', 'Ü', "o'"])}${this.#count}@${one(['proof', 'Proof'])}.example`;
    if (isNew) return { name: this.#text(), email };
    return chance(0.5) ? { name: this.#text() } : { email };
  }

  #batch(): Intent {
    const { one, below, chance } = bound(this.#values);
    const taken = new Set<number>();
    const changes: ProductChange[] = [];
    for (let left = 1 + below(6); left > 0; left--) {
      const { description: _, ...members } = this.#product(true);
      const id = this.#id('product');
      const action = one(['createProduct', 'updateProduct', 'deleteProduct'] as const);
      if (action === 'createProduct') changes.push({ action, members });
      else if (!taken.has(id))
        changes.push(action === 'updateProduct' ? { action, id, members } : { action, id });
      taken.add(id);
    }
    return changes.length === 0 ? this.#batch() : { action: 'batch', isAtomic: chance(0.5), changes };
  }

  #order(): Intent {
    const { one, below, chance } = bound(this.#values);
    const orderable = [...this.#model.products.values()].filter(
      ({ isSellable, stock }) => isSellable && (stock === null || stock > 2),
    );
    const items = Array.from({ length: 1 + below(4) }, () => ({
      productId: chance(0.9) && orderable.length > 0 ? one(orderable).id : this.#id('product'),
      quantity: one([1, 1, 1, 2, 20]),
    }));
    return { action: 'createOrder', userId: this.#id('user'), items };
  }

  /** Undefined when the version of the row is not known, or when the write accepts no expected version. */
  #versionOf(intent: Intent): number | undefined {
    if (!('id' in intent) || intent.action === 'setProductStock') return undefined;
    return this.#model.rows(kindOf(intent.action)).get(intent.id)?.version as number | undefined;
  }

  /** The same wish with a reason to be refused; unchanged if no reason was found. */
  #spoilt(wish: Wish): Wish {
    const { one, chance } = bound(this.#values);
    const { intent } = wish;
    const version = this.#versionOf(intent);
    if (chance(0.3)) return { ...wish, who: 'nobody', refusal: 'UNAUTHENTICATED' };
    if (chance(0.3)) return { ...wish, who: 'reader', refusal: 'FORBIDDEN' };
    if (chance(0.4) && version !== undefined) {
      return {
        ...wish,
        expectedVersion: one(
          [version + 1, Math.max(1, version - 1), 2_000_000_000].filter((each) => each !== version),
        ),
        refusal: 'PRECONDITION_FAILED',
      };
    }
    // A JSON Patch can be validated only together with the row, so the row must exist.
    const isThere = !('id' in intent) || this.#model.rows(kindOf(intent.action)).has(intent.id);
    const bad = isThere ? this.#invalid(intent) : null;
    return bad ? { ...wish, intent: bad, refusal: 'VALIDATION_FAILED' } : wish;
  }

  #invalid(intent: Intent): Intent | null {
    const { one } = bound(this.#values);
    const name = one(['', '   ', 'x'.repeat(201), 'a\u0000b', '\ud800']);
    if (intent.action === 'createOrder') {
      const quantity = one([0, -1, 10_001]);
      return { ...intent, items: one([[], [{ productId: 1, quantity }]]) };
    }
    if (intent.action === 'setProductStock') return { ...intent, quantity: one([-1, 1_000_000_001]) };
    if (intent.action === 'updateOrderStatus') return { ...intent, status: one(['lost', 'PAID', '']) };
    if (!('members' in intent)) return null;
    if (intent.action.includes('User')) {
      return {
        ...intent,
        members: { ...intent.members, ...one([{ name }, { email: one(['a', 'a@', '@b', 'a b@c']) }]) },
      };
    }
    return {
      ...intent,
      members: { ...intent.members, ...one([{ name }, { price: one([-1, 0.5, 1_000_000_001]) }]) },
    };
  }
}

function bound(values: Values): Pick<Values, 'one' | 'below' | 'chance' | 'word'> {
  return {
    one: (list) => values.one(list),
    below: (most) => values.below(most),
    chance: (share) => values.chance(share),
    word: (length) => values.word(length),
  };
}
