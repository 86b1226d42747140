import { getNamedType, isListType, isNonNullType, isObjectType } from 'graphql';
import { Broken, requireThat } from '../options.ts';
import { curlOf, type Answer, type Sent } from './client.ts';
import { edgesOf } from './edges.ts';
import { Costs } from './costs.ts';
import { atEdge, entityNamedBy, WAYS, type Ask, type Base, type Way } from './graphql-ways.ts';
import { resultIn } from './graphql-result.ts';
import type { Problem } from './judge.ts';
import { knownOf } from './knowledge.ts';
import { entityOf, operationTiedTo } from './rows.ts';
import { isGuarded, requireType, selectionOf } from './outputs.ts';
import { ADMINISTRATOR, judgeRights, NOBODY } from './rights.ts';
import { readSdl, type RootField } from './sdl.ts';
import { Tally } from './tally.ts';
import { SCOPES, type Headers, type Owner, type World } from './world.ts';

/** Compares a service with schema.graphql. */
export class GraphqlProver {
  readonly fields: readonly RootField[];
  readonly tally = new Tally();
  readonly #world: World;
  readonly #costs: Costs;
  readonly #codes = new Map<string, Problem>();
  readonly #lent = new Map<string, Promise<Headers>>();
  #changes: Promise<void> | undefined;

  constructor(text: string, only: readonly string[], world: World) {
    this.#costs = new Costs(text);
    this.fields = readSdl(text).filter(({ id }) => only.length === 0 || only.includes(id));
    this.#world = world;
  }

  async each(): Promise<void> {
    for (const field of this.fields) {
      for (const way of WAYS) await this.#try(field, way);
      for (const arg of field.args) {
        for (const edge of edgesOf(arg.taken, [], [arg.name])) await this.#try(field, atEdge(arg, edge));
      }
    }
  }

  async random(requests: number): Promise<void> {
    const { values } = this.#world;
    for (let n = 0; n < requests && this.fields.length > 0; n++) {
      await this.#try(values.one(this.fields), values.chance(0.5) ? (WAYS[0] as Way) : values.one(WAYS));
    }
  }

  /** The outcomes that never occurred, though the arguments and the access of the root fields make them possible. */
  missing(): string[] {
    return this.fields.flatMap((field) =>
      outcomesOf(field)
        .filter((outcome) => !this.tally.has(field.id, outcome))
        .map((outcome) => `${field.id} ${outcome}`),
    );
  }

  async #try(field: RootField, way: Way): Promise<void> {
    const base = await this.#base(field);
    const ask = await way(field, base);
    if (ask === null) return;
    const sent = sentFor(field, ask, this.#world.values.one(MEDIA_TYPES));
    const answer = await this.#world.client.send(sent);
    try {
      this.tally.count(field.id, await this.#judged(field, ask, base, sent, answer));
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      const line = curlOf(this.#world.client.url, sent);
      throw new Broken(`${error.message}\n${line}\n  HTTP ${answer.status}\n  ${answer.text.slice(0, 2000)}`);
    }
  }

  async #base(field: RootField): Promise<Base> {
    const world = this.#world;
    const { values } = world;
    const { scopes, owner: place, kind, args } = field;
    const isOwn = place !== null && (place === 'row.id' || values.chance(0.3));
    const owner = isOwn ? await world.owner(kind === 'mutation' && place === 'args.id') : null;
    const known = await knownOf(world, { operation: operationTiedTo(field.id), owner, isGraphql: true });
    const variables: Record<string, unknown> = {};
    // A connection is read in one direction at a time, and cursors come only from the service.
    const left = isConnection(field) ? ['after', 'before', values.one(['first', 'last'])] : [];
    for (const { name, isRequired, schema } of args) {
      if (left.includes(name)) continue;
      const isOwner = place === `args.${name}` && kind === 'mutation';
      const isWanted = isRequired || isOwner || name === 'after';
      if (!isWanted && !values.chance(0.3)) continue;
      if (name === 'id') variables[name] = await this.#idFor(field, owner);
      else if (name === 'expectedVersion') variables[name] = 1;
      else {
        const value = known(name, schema) ?? (await this.#narrowing(field, name, owner));
        // Null means that the argument is left out. If the argument named one row, there might be no event of this row.
        if (value !== null) variables[name] = value ?? values.valid(schema, known);
      }
    }
    const base = { world, known, owner, variables };
    if (owner) {
      if (kind !== 'mutation') await (this.#changes ??= this.#makeChanges(owner));
      const rights = { ...NOBODY, userId: String(owner.id) };
      return { ...base, credential: owner.key, rights };
    }
    if (values.chance(0.2)) return { ...base, credential: world.admin, rights: ADMINISTRATOR };
    if (scopes === null) return { ...base, credential: {}, rights: NOBODY };
    const scope = values.one(scopes);
    if (values.chance(0.3)) {
      const user = await world.owner(false);
      const rights = { ...NOBODY, scopes: [scope], userId: String(user.id) };
      return { ...base, credential: await this.#lentKey(user, scope), rights };
    }
    const more = [scope, ...SCOPES.filter((other) => other !== scope && values.chance(0.3))];
    const credential = await world.credential(values.one(['apiKey', 'oauth', 'jwt']), more);
    return { ...base, credential, rights: { ...NOBODY, scopes: more } };
  }

  /** A key that belongs to a user, and also has a scope. */
  #lentKey({ id }: Owner, scope: string): Promise<Headers> {
    const make = async (): Promise<Headers> => {
      const { key } = await this.#world.post('/api-keys', { name: 'Lent', user_id: id, scopes: [scope] });
      return { 'x-api-key': String(key) };
    };
    const made = this.#lent.get(`${id} ${scope}`) ?? make();
    this.#lent.set(`${id} ${scope}`, made);
    return made;
  }

  /** Causes an event about a row of another user, and then an event of the same kind about a row of `owner`. */
  async #makeChanges(owner: Owner): Promise<void> {
    const world = this.#world;
    for (const user of [undefined, owner]) {
      const { id } = await (user ? world.rows.rowOf('Order', user) : world.rows.row('Order', true));
      await world.client.send({
        method: 'PATCH',
        target: `/api/v1/orders/${id}`,
        headers: { ...world.admin, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'cancelled' }),
      });
    }
  }

  async #idFor(field: RootField, owner: Owner | null): Promise<string> {
    const entity = entityNamedBy(field);
    const { rows } = this.#world;
    if (owner && field.owner === 'args.id') return String(owner.id);
    if (owner) return String((await rows.rowOf(entity, owner)).id);
    return String((await rows.row(entity, field.kind === 'mutation')).id);
  }

  /**
   * The value of an argument that narrows the answer to one row or one user. Null: the argument is left out. Undefined:
   * any valid value is good.
   */
  async #narrowing(
    { kind }: RootField,
    name: string,
    owner: Owner | null,
  ): Promise<string | null | undefined> {
    const [, first = '', rest = ''] = /^(\w)(\w*)Id$/.exec(name) ?? [];
    const entity = entityOf(first.toUpperCase() + rest);
    if (entity === undefined) return undefined;
    if (entity !== 'User') return kind === 'subscription' ? null : undefined;
    return String(owner?.id ?? (await this.#world.rows.row(entity, false)).id);
  }

  /** @returns the outcome */
  async #judged(
    field: RootField,
    ask: Ask,
    { credential, rights }: Base,
    sent: Sent,
    answer: Answer,
  ): Promise<string> {
    requireThat(answer.status < 500, () => `${field.id} fails with ${answer.status}.`);
    const { due, variables } = ask;
    const { data, errors: all = [], extensions: told } = resultIn(field, sent, answer);
    for (const { extensions } of all) await this.#requireKnown(field, extensions);
    const isBelow = ({ path = [] }: (typeof all)[number]): boolean => isGuarded(field.type, path.slice(1));
    const errors = all.filter((error) => !isBelow(error));
    const refusals = all.filter(isBelow).map(({ extensions: { status }, path = [] }) => ({ status, path }));
    if (data != null && errors.length === 0 && field.kind !== 'subscription') {
      const { query } = JSON.parse(sent.body ?? '') as { query: string };
      this.#costs.requireTold(field.id, query, variables, told?.cost);
    }
    // Some ways use another credential than the valid request. `rights` describes only the credential of the valid
    // request.
    if (ask.credential === credential) {
      const right = judgeRights(field, data?.[field.name], refusals, rights);
      const wrong = refusals.find((each) => !right.includes(each));
      requireThat(wrong === undefined, () => `${field.id}: ${wrong?.path.join('/')} must not be refused.`);
    }
    if (due.outcome === 'refused') {
      const [error] = errors;
      const status = error?.extensions.status;
      requireThat(
        error !== undefined && due.statuses.includes(status as number),
        () =>
          `${field.id} must refuse ${due.reason} with ${due.statuses.join(' or ')}, not ${status ?? 'serve it'}.`,
      );
      return error.extensions.code;
    }
    const isDoubtful = due.statuses.includes(errors[0]?.extensions.status ?? 0);
    if (isDoubtful) return errors[0]?.extensions.code ?? '';
    requireThat(errors.length === 0, () => `${field.id} must not refuse ${due.reason}.`);
    const value = data?.[field.name];
    requireThat(value !== undefined, () => `${field.id} has no value in the answer to ${due.reason}.`);
    if (due.outcome === 'null')
      requireThat(value === null, () => `${field.id} must answer ${due.reason} with null.`);
    else requireThat(value !== null, () => `${field.id} must not answer ${due.reason} with null.`);
    requireType(field.id, field.type, value, depthFor(field, ask.variables));
    return due.outcome;
  }

  async #requireKnown({ id }: RootField, { code, status, type }: Problem): Promise<void> {
    if (!this.#codes.has(code)) {
      const answer = await this.#world.client.send({ method: 'GET', target: type, headers: {} });
      if (answer.status === 200) this.#codes.set(code, JSON.parse(answer.text) as Problem);
    }
    const kind = this.#codes.get(code);
    requireThat(
      kind?.code === code && kind.status === status,
      () => `${id}: the error ${code} with the status ${status} is not explained at ${type}.`,
    );
  }
}

function outcomesOf({ kind, args, scopes }: RootField): readonly string[] {
  const has = (name: string): boolean => args.some((arg) => arg.name === name);
  return [
    'ok',
    'UNAUTHENTICATED',
    ...(scopes ? ['FORBIDDEN'] : []),
    ...(kind === 'query' ? ['GRAPHQL_LIMIT_EXCEEDED'] : []),
    ...(has('id') && kind !== 'subscription' ? ['null'] : []),
    ...(has('expectedVersion') ? ['PRECONDITION_FAILED'] : []),
    ...(args.length > 0 ? ['VALIDATION_FAILED'] : []),
  ];
}

const MEDIA_TYPES = ['application/json', 'application/graphql-response+json'] as const;

function sentFor(field: RootField, { credential, variables, times = 1 }: Ask, mediaType: string): Sent {
  const given = field.args.filter(({ name }) => name in variables);
  const declared = given.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
  const asked = `${field.name}${passed && `(${passed})`} ${selectionOf(field.type, depthFor(field, variables))}`;
  const all = times === 1 ? asked : Array.from({ length: times }, (_, n) => `a${n}: ${asked}`).join(' ');
  const query = `${field.kind}${declared && `(${declared})`} { ${all} }`;
  const isStream = field.kind === 'subscription';
  return {
    method: 'POST',
    target: isStream ? '/graphql/stream' : '/graphql',
    headers: {
      ...credential,
      'content-type': 'application/json',
      accept: isStream ? 'text/event-stream' : mediaType,
    },
    body: JSON.stringify({ query, variables }),
    ...(isStream && { until: 'data: {' }),
  };
}

/** The depth of the selection: less for fields that return many rows. */
function depthFor(field: RootField, variables: Ask['variables']): number {
  const size = variables['limit'] ?? variables['first'] ?? variables['last'] ?? 20;
  const isLong = Number(size) > 5;
  if (isConnection(field)) return isLong ? 1 : 2;
  return isLong && isListOf(field) ? 0 : 2;
}

function isConnection({ args }: RootField): boolean {
  return args.some(({ name }) => name === 'before');
}

function isListOf({ type }: RootField): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type) && isObjectType(getNamedType(type));
}
