import { BODY_TWISTS } from './body-twists.ts';
import { conflictTwists, sentAgain, sentOtherwise } from './conflicts.ts';
import type { Operation } from '../../testkit/contract/document.ts';
import { draftOf, hasHeader, parametersIn, sentOf, isShort, targetOf, type Draft } from './drafts.ts';
import { foreign, owned, valid, withoutId } from './good-twists.ts';
import { missingReference } from './references.ts';
import { NAMED } from './knowledge.ts';
import { invalidText } from './texts.ts';
import { BATCH_TWISTS } from './batch-twists.ts';
import { CONDITIONS, preferring } from './conditions.ts';
import { isRead, twist, type Twist } from './twist.ts';
import { MISSING, SCOPES, type Headers } from './world.ts';

/*
 * All twists for REST. The twists of bodies, batches, conditions and conflicts are in files of their own. `fits` looks
 * at the path, the method, the access, the input and the success of an operation. It does not look at the other
 * statuses that the operation documents. So the proof notices a status that the contract does not document. There are
 * two exceptions. For a read without content, the twist with the header `Accept` looks for 406. And `conflictTwists`
 * reads the codes of 409 from the contract.
 */

const isOptions = ({ method }: Operation): boolean => method === 'OPTIONS';
const hasContent = ({ responses, success }: Operation): boolean =>
  (responses.get(success)?.content.size ?? 0) > 0;

/** Null when the address is so long that the service would refuse it. */
const short = (draft: Draft): Draft | null => (isShort(draft) ? draft : null);

const TWISTS: readonly Twist[] = [
  valid,
  owned,
  foreign,
  ...BODY_TWISTS,
  twist(
    'an unknown parameter',
    (operation) => !isOptions(operation),
    400,
    (draft) => ({
      ...draft,
      query: [...draft.query, ['nothing', '1']],
    }),
  ),
  twist(
    'a repeated parameter',
    (operation) => singlesOf(operation).length > 0,
    400,
    (draft) => {
      const singles = singlesOf(draft.operation);
      const first = draft.query.find(([name]) => singles.includes(name));
      return first === undefined ? null : { ...draft, query: [...draft.query, first] };
    },
  ),
  twist(
    'an invalid parameter',
    (operation) => parametersIn(operation, 'query').length > 0,
    400,
    (draft, world) => {
      const { name, schema } = world.values.one(parametersIn(draft.operation, 'query'));
      const text = invalidText(world, schema);
      const others = draft.query.filter(([other]) => other !== name);
      return text === undefined ? null : short({ ...draft, query: [...others, [name, text]] });
    },
  ),
  twist(
    'an invalid address',
    (operation) => !isOptions(operation) && parametersIn(operation, 'path').length > 0,
    400,
    (draft, world) => {
      const { name, schema } = world.values.one(parametersIn(draft.operation, 'path'));
      const text = invalidText(world, schema);
      return text === undefined || text === ''
        ? null
        : short({ ...draft, path: { ...draft.path, [name]: text } });
    },
  ),
  twist(
    'an invalid header',
    (operation) => parametersIn(operation, 'header').length > 0,
    400,
    (draft, world) => {
      const { name, schema } = world.values.one(parametersIn(draft.operation, 'header'));
      const text = invalidText(world, schema) ?? '';
      return /^[!-~]([ -~]*[!-~])?$/.test(text)
        ? { ...draft, headers: { [name.toLowerCase()]: text } }
        : null;
    },
  ),
  twist(
    'an Accept without an offered media type',
    (operation) => hasContent(operation) || (isRead(operation) && operation.responses.has(406)),
    406,
    (draft, world) => ({
      ...draft,
      query: draft.query.filter(([name]) => name !== 'format'),
      headers: { accept: world.values.one(['image/png', 'image/*, audio/ogg;q=0.5', '*/*;q=0']) },
    }),
  ),
  twist(
    'a bad credential',
    () => true,
    401,
    (draft, world) => {
      const basic = Buffer.from(`nobody${world.unique()}@proof.example:wrong password`).toString('base64');
      const credential = world.values.one<Headers>([
        { 'x-api-key': 'sk_1_wrong' },
        { 'x-api-key': `sk_1_${'x'.repeat(43)}` },
        { authorization: `Bearer ${'x'.repeat(43)}` },
        { authorization: 'Bearer a.b.c' },
        ...(world.values.chance(0.2) ? [{ authorization: `Basic ${basic}` }] : []),
      ]);
      return { ...draft, credential };
    },
  ),
  twist(
    'no credential',
    ({ ways }) => ways !== null,
    401,
    (draft) => ({ ...draft, credential: {} }),
  ),
  twist(
    'two credentials',
    (operation) => !isOptions(operation),
    400,
    (draft, world) => ({
      ...draft,
      credential: { ...world.admin, authorization: 'Bearer a.b.c' },
    }),
  ),
  twist(
    'a credential without the scopes',
    ({ ways }) => ways !== null,
    403,
    async (draft, world) => {
      const ways = (draft.operation.ways ?? []).filter(({ scopes }) => scopes.length > 0);
      if (ways.length === 0) return null;
      const needed = new Set(ways.flatMap(({ scopes }) => scopes));
      const others = SCOPES.filter((scope) => !needed.has(scope));
      const fresh = await draftOf(world, draft.operation, draft.operation.owner === 'row.id');
      return { ...fresh, credential: await world.credential(world.values.one(ways).scheme, others) };
    },
  ),
  twist(
    'a row that does not exist',
    (operation) =>
      !isOptions(operation) && (parametersIn(operation, 'path').length > 0 || operation.owner === 'row.id'),
    404,
    async (draft, world) => {
      if (draft.operation.owner === 'row.id') return { ...draft, credential: world.admin };
      const own = await draftOf(world, draft.operation, false);
      const names = parametersIn(draft.operation, 'path').map(({ name }) => name);
      const path = Object.fromEntries(names.map((name) => [name, NAMED[name]?.missing ?? String(MISSING)]));
      const body = own.body && withoutId(own.body);
      return { ...own, path, body };
    },
  ),
  twist(
    'a long address',
    () => true,
    414,
    (draft) => ({ ...draft, query: [['q', 'x'.repeat(8200)]] }),
  ),
  ...CONDITIONS,
  twist(
    'a cursor that the service made',
    ({ parameters, method }) => method === 'GET' && parameters.some(({ name }) => name === 'cursor'),
    200,
    async (draft, world) => {
      const target = `${targetOf({ ...draft, query: [] })}?limit=1`;
      const { text } = await world.client.send({ ...sentOf(draft), target });
      const next = (JSON.parse(text) as { page?: { next: string | null } }).page?.next ?? null;
      const query = [['limit', '1'] as const, ['cursor', String(next)] as const];
      return next === null ? null : { ...draft, query };
    },
  ),
  twist(
    'a cursor that the service did not make',
    ({ parameters }) => parameters.some(({ name }) => name === 'cursor'),
    400,
    (draft) => ({
      ...draft,
      query: [['cursor', 'x'.repeat(40)]],
    }),
  ),
  ...BATCH_TWISTS,
  {
    name: 'no body wanted',
    fits: (operation) => hasHeader(operation, 'Prefer'),
    make: (world, operation) => preferring(world, operation, 'minimal'),
  },
  {
    name: 'a body wanted',
    fits: (operation) => hasHeader(operation, 'Prefer'),
    make: (world, operation) => preferring(world, operation, 'representation'),
  },
  missingReference,
  {
    name: 'a key that was used for the same request',
    fits: (operation) => hasHeader(operation, 'Idempotency-Key'),
    make: sentAgain,
  },
  {
    name: 'a key that was used for another request',
    fits: (operation) => hasHeader(operation, 'Idempotency-Key'),
    make: sentOtherwise,
  },
];

/** All twists that fit an operation. The first one is the good request. */
export function twistsFor(operation: Operation): readonly Twist[] {
  return [...TWISTS.filter(({ fits }) => fits(operation)), ...conflictTwists(operation)];
}

/** The parameters of the query that accept only one value. */
function singlesOf(operation: Operation): readonly string[] {
  return parametersIn(operation, 'query')
    .filter(({ schema }) => schema.type !== 'array')
    .map(({ name }) => name);
}
