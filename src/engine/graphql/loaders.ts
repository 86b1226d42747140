import DataLoader from 'dataloader';
import type { GraphqlContext } from './context.js';

/**
 * Looks something up by id for one field of many objects: all ids of a level are gathered, and `find` is called once
 * with them. `find` itself names the relation: call it with the same function every time.
 *
 * @returns null where `find` found nothing
 */
export function batched<T>(
  context: GraphqlContext,
  find: (ids: readonly number[]) => Promise<ReadonlyMap<number, T>>,
  id: number,
): Promise<T | null> {
  let loader = context.loaders.get(find) as DataLoader<number, T | null> | undefined;
  if (!loader) {
    loader = new DataLoader(
      async (ids: readonly number[]) => {
        const rows = await find(ids);
        return ids.map((one) => rows.get(one) ?? null);
      },
      // What one mutation field changes, the next one's answer has to show.
      { cache: false },
    );
    context.loaders.set(find, loader);
  }
  return loader.load(id);
}
