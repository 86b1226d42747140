import { draftOf, isShort, JSON_PATCH, parametersIn, textOf, type Attempt, type Draft } from './drafts.ts';
import type { Operation, Schema } from '../../testkit/contract/document.ts';
import { allOrNothing, isBeyondReach, wholeBody } from './knowledge.ts';
import { flat, isValid, typesOf } from '../../testkit/contract/schemas.ts';
import { attempt } from './twist.ts';
import type { Known } from './values.ts';
import type { World } from './world.ts';

/** Texts longer than this are not tried, because they would only slow the proof down. */
const MOST_CHARACTERS = 20_000;

/** A value at a bound, or next to one. */
export interface Edge {
  /** The path of the member that was set to its bound. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * All values at a bound of a schema, and next to a bound: valid and invalid ones. In an object, one member at a time
 * has such a value.
 */
export function edgesOf(given: Schema, good: unknown, path: readonly string[] = []): readonly Edge[] {
  const schema = flat(given);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((choice) => edgesOf(choice, good, path));
  const { enum: words, minimum, maximum, multipleOf = 1, minLength = 0, maxLength, maxItems, items } = schema;
  const at = (values: readonly unknown[]): readonly Edge[] => values.map((value) => ({ path, value }));
  if (words) return at([...words, 'no such value']);
  if (schema.properties) {
    const members = Object.entries(schema.properties).filter(([, member]) => !flat(member).readOnly);
    const known = (good ?? {}) as Readonly<Record<string, unknown>>;
    return members.flatMap(([name, member]) =>
      edgesOf(member, known[name], [...path, name]).map((edge) => ({
        ...edge,
        value: { ...known, [name]: edge.value },
      })),
    );
  }
  if (items) {
    const [first, ...others] = Array.isArray(good) ? good : [];
    const within = edgesOf(items, first, path).map((edge) => ({ ...edge, value: [edge.value, ...others] }));
    const many = maxItems !== undefined && maxItems <= 1000 ? at([Array(maxItems + 1).fill(first)]) : [];
    return [...within, ...many, ...at(schema.minItems ? [[]] : [])];
  }
  const types = typesOf(schema);
  if (types.includes('integer') || types.includes('number')) {
    const step = types.includes('integer') ? 1 : multipleOf;
    return at([
      ...(minimum === undefined ? [] : [minimum, minimum - step]),
      ...(maximum === undefined ? [] : [maximum, maximum + step]),
      ...(schema.multipleOf === undefined ? [] : [(minimum ?? 0) + multipleOf / 10]),
      ...(types.includes('integer') ? [(minimum ?? 0) + 0.5] : []),
    ]);
  }
  if (types.includes('string') && maxLength !== undefined && maxLength <= MOST_CHARACTERS) {
    const lengths = [minLength, minLength - 1, maxLength, maxLength + 1].filter((length) => length >= 0);
    return at(lengths.map((length) => 'x'.repeat(length)));
  }
  return [];
}

/** Whether the service must accept a valid edge, because no other rule applies to its member. */
export function hasNoOtherRule(known: Known, { path }: Edge): boolean {
  return path.length === 1 && known(path[0] as string, {}) === undefined;
}

/** Attempts in which one parameter or one member of the body is at a bound or beyond it. */
export async function* attemptsAtEdges(world: World, operation: Operation): AsyncGenerator<Attempt> {
  // OPTIONS answers without reading parameters or a body.
  if (operation.method === 'OPTIONS') return;
  // Refused requests change nothing. So one draft is enough for all refused requests.
  const newDraft = () => draftOf(world, operation, operation.owner === 'row.id');
  const draft = await newDraft();
  yield* atParameters(draft);
  const schema = operation.body?.media.get('application/json');
  if (!schema || draft.body === null) return;
  const isWhole = (await wholeBody(world, operation)) !== null;
  for (const edge of edgesOf(schema, membersIn(draft))) {
    const isGood = isValid(schema, edge.value);
    if (isGood && (isWhole || !hasNoOtherRule(draft.known, edge))) continue;
    const fresh = isGood ? await newDraft() : draft;
    const [name = ''] = edge.path;
    const body = { ...membersIn(fresh), [name]: (edge.value as Record<string, unknown>)[name] };
    const reason = `${edge.path.join('/')} ${isGood ? 'at' : 'beyond'} a bound`;
    const sent = {
      ...fresh,
      body: { type: 'application/json', value: isGood ? body : allOrNothing(edge.value) },
    };
    yield attempt(sent, isGood ? operation.success : 400, reason);
  }
}

/** The members of the body; none if the body is missing or is a JSON patch. */
function membersIn({ body }: Draft): object {
  return body === null || body.type === JSON_PATCH ? {} : (body.value as object);
}

function* atParameters(draft: Draft): Generator<Attempt> {
  const { operation, known, owner } = draft;
  const required = parametersIn(operation, 'query').filter((parameter) => parameter.required);
  const least = draft.query.filter(([name]) => required.some((parameter) => parameter.name === name));
  for (const { name, in: place, schema } of operation.parameters) {
    if (place === 'header') continue;
    for (const { value } of edgesOf(schema, [])) {
      const text = textOf(value);
      // Some values change their meaning as text in a query. For example, an empty list becomes an empty text, and a
      // large number becomes `1e21`.
      if (text === '' || /^-?\d\.?\d*e/.test(text)) continue;
      const isGood = isValid(schema, value);
      const bound = `${name} ${isGood ? 'at' : 'beyond'} a bound`;
      if (place === 'path') {
        if (isGood) continue;
        const asked = { ...draft, query: least, path: { ...draft.path, [name]: text } };
        if (isShort(asked)) yield attempt(asked, 400, bound);
        continue;
      }
      if (isGood && known(name, schema) !== undefined) continue;
      const query = [...least.filter(([other]) => other !== name), [name, text] as const];
      const asked = { ...draft, query };
      if (!isShort(asked)) continue;
      const isDoubtful = isBeyondReach(operation, Object.fromEntries(query), owner);
      const statuses = isGood ? [operation.success, ...(isDoubtful ? [400] : [])] : [400];
      yield attempt(asked, statuses, bound);
    }
  }
}
