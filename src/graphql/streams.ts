/**
 * Passes on what a source gives, changed. Not a generator, since the `return` of one waits for the next event, and the
 * source has to be let go at once. Whatever `change` throws ends the source too.
 */
export function mapped<T, U>(
  source: AsyncIterator<T>,
  change: (value: T) => U,
): AsyncIterableIterator<U> & Required<Pick<AsyncIterator<U>, 'return'>> {
  return {
    next: async () => {
      const step = await source.next();
      if (step.done === true) return { value: undefined, done: true };
      try {
        return { value: change(step.value), done: false };
      } catch (error) {
        await source.return?.();
        throw error;
      }
    },
    return: async () => {
      await source.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
