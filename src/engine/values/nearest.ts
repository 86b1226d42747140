/**
 * A longer name gets no suggestion. It is probably no typing error, and the time of the search grows with the square of
 * its length.
 */
const LONGEST = 40;

/**
 * The name that is most similar to a misspelt name, and differs from it in at most a third of the letters; null if
 * there is no such name.
 */
export function nearestTo(name: string, names: Iterable<string>): string | null {
  if (name.length > LONGEST) return null;
  const wanted = lettersOf(name);
  let nearest: string | null = null;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const candidate of names) {
    const letters = lettersOf(candidate);
    if (letters.length > LONGEST || Math.abs(letters.length - wanted.length) >= least) continue;
    const distance = distanceOf(wanted, letters);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

/** Normalises a name: `inStock`, `in-stock` and `in_stock` are the same. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The Levenshtein distance, where a swap of two neighbouring letters is one step. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let steps = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) steps = Math.min(steps, (before[j - 2] as number) + 1);
      row.push(steps);
    }
    before = last;
    last = row;
  }
  return last[other.length] as number;
}
