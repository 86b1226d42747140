/** The products of the bench: the same in every database that it makes, and made from their number alone. */
export interface SeededProduct {
  readonly id: number;
  readonly name: string;
  readonly priceMinor: number;
  readonly inStock: boolean;
}

const WOODS = ['Oak', 'Walnut', 'Maple', 'Cherry', 'Ash', 'Birch', 'Teak', 'Pine'];
const THINGS = ['table', 'shelf', 'chair', 'bench', 'lamp', 'frame', 'bowl', 'tray', 'desk', 'stool', 'box'];

/** Every seventh id is missing, as if deleted, so that no page can be found by arithmetic on ids. */
export function idAt(index: number): number {
  return index + 1 + Math.floor(index / 6);
}

export function productAt(index: number): SeededProduct {
  const wood = WOODS[index % WOODS.length] as string;
  const thing = THINGS[index % THINGS.length] as string;
  return {
    id: idAt(index),
    name: `${wood} ${thing} No. ${index + 1}`,
    priceMinor: 100 + ((index * 7919) % 999_900),
    inStock: index % 5 !== 0,
  };
}
