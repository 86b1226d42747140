/**
 * Passes on what a source gives and `isWanted` lets through. Not a generator, since the `return` of one waits for the
 * next event, and the source has to be let go at once. Whatever `isWanted` throws ends the source too.
 */
export function filtered<T>(
  source: AsyncIterator<T>,
  isWanted: (value: T) => boolean,
): AsyncIterableIterator<T> & Required<Pick<AsyncIterator<T>, 'return'>> {
  return {
    next: async () => {
      for (;;) {
        const step = await source.next();
        if (step.done === true) return { value: undefined, done: true };
        try {
          if (isWanted(step.value)) return { value: step.value, done: false };
        } catch (error) {
          await source.return?.();
          throw error;
        }
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
