import type { Operation } from '../../testkit/contract/document.ts';
import { draftOf, targetOf } from '../contract/drafts.ts';
import type { World } from '../contract/world.ts';
import type { Message, Pair } from './message.ts';

const FORM = /<form method="post" action="(\/browse\/[^"]+)"[\s\S]*?<\/form>/g;
const CONTROL = /<(input|select|textarea)\b([^>]*)>/g;
/** At most this number of checkboxes with the same name are checked. */
const MOST_MARKED = 2;

/** The forms of all pages, filled in, as a browser without a script sends them. */
export async function formSeeds(
  world: World,
  operations: readonly Operation[],
  credential: Pair,
): Promise<readonly Message[]> {
  const seeds: Message[] = [];
  for (const operation of operations) {
    const isPage = operation.responses.get(operation.success)?.content.has('text/html');
    if (operation.method !== 'GET' || !isPage) continue;
    const [path = '/'] = targetOf({ ...(await draftOf(world, operation, false)), query: [] }).split('?');
    const headers = { ...world.admin, accept: 'text/html' };
    const { status, text } = await world.client.send({ method: 'GET', target: path, headers });
    if (status !== 200) continue;
    for (const [form, action = ''] of text.replaceAll(/<template>[\s\S]*?<\/template>/g, '').matchAll(FORM)) {
      const pairs = pairsIn(form);
      seeds.push({
        door: 'forms',
        about: pairs.find(([name]) => name === '_form')?.[1] ?? action,
        method: 'POST',
        path: action,
        query: [],
        headers: [credential, ['origin', 'http://store.example'], ['sec-fetch-site', 'same-origin']],
        body: { kind: 'form', pairs },
      });
    }
  }
  return seeds;
}

/** The entries of a form: one for each control, but at most `MOST_MARKED` for the checkboxes of one name. */
function pairsIn(form: string): readonly Pair[] {
  const marked = new Map<string, number>();
  return [...form.matchAll(CONTROL)].flatMap(({ 1: tag, 2: attributes = '', index }): Pair[] => {
    const name = attributeIn(attributes, 'name');
    if (name === undefined) return [];
    const given = attributeIn(attributes, 'value');
    if (attributeIn(attributes, 'type') === 'checkbox') {
      const count = (marked.get(name) ?? 0) + 1;
      marked.set(name, count);
      return count > MOST_MARKED ? [] : [[name, given ?? 'on']];
    }
    if (tag === 'select') return [[name, firstOption(form.slice(index)) ?? '']];
    return [[name, given || '1']];
  });
}

/** The first value that is not empty among the options of a `<select>`. */
function firstOption(select: string): string | undefined {
  const [options = ''] = select.split('</select>', 1);
  return [...options.matchAll(/<option\b([^>]*)>/g)]
    .map(([, attributes = '']) => attributeIn(attributes, 'value'))
    .find((value) => value);
}

function attributeIn(attributes: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`)
    .exec(attributes)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
