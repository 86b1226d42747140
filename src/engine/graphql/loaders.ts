import DataLoader from 'dataloader';
import type { GraphqlContext } from './context.js';

/**
 * Looks up a value by id for one field of many objects. The ids of all objects on one level of the result are
 * collected, and `find` is called once with them. Pass the same function `find` every time, because the ids are
 * collected for each function.
 *
 * @returns null if `find` found nothing
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
      // No value is kept, because the answer of a mutation field has to show the changes of the fields before it.
      { cache: false },
    );
    context.loaders.set(find, loader);
  }
  return loader.load(id);
}
