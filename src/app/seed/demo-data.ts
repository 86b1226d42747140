interface DemoProduct {
  readonly name: string;
  readonly description: string;
  /** Major units. In a currency without minor units the price is rounded. */
  readonly price: number;
  /** Null when the stock is not counted. */
  readonly stock: number | null;
}

/** The shop of a small harbour town. All of it is invented. */
export const DEMO_PRODUCTS: readonly DemoProduct[] = [
  product('Lighthouse mug', 'Stoneware, holds a storm’s worth of tea.', 14.5, 120),
  product('Sea-salt caramels', 'Twelve in a tin with a sailing map on the lid.', 9.9, null),
  product('Fisherman’s jumper', 'Undyed wool, knitted on the quay.', 118, 14),
  product('Brass ship’s bell', 'Rings the hour, or the end of an argument.', 79, 6),
  product('Rope doormat', 'Old mooring line, new purpose.', 34.5, 40),
  product('Tide clock', 'One hand, two tides a day.', 56, 22),
  product('Harbour map, 1890', 'A print of the chart that the pilots used.', 24, null),
  product('Driftwood lamp', 'No two alike; the shade is linen.', 89.95, 5),
  product('Oyster knife', 'Short blade, sure grip.', 21, 60),
  product('Seagull bookends', 'A pair in cast iron. They do not steal chips.', 42, 18),
  product('Smoked sea salt', 'Alder smoke, 150 g.', 7.5, 200),
  product('Storm lantern', 'Burns all night on one filling.', 38, 25),
  product('Sailor’s notebook', 'Paper that can be written on in the rain.', 12, 150),
  product('Message bottle', 'With cork, sealing wax and a blank page.', 11.5, 80),
  product('Kelp soap', 'Green, mild, smells of low water.', 5.9, null),
  product('Deck chair', 'Striped canvas on beech; folds without a fight.', 64, 0),
  product('Mackerel kite', 'Flies best on a steady westerly.', 27.5, 33),
  product('Blue enamel pot', 'Chowder for six.', 46, 12),
  product('Anchor cufflinks', 'Silver plate, for formal shore leave.', 31, 20),
  product('Pilot’s coffee', 'Dark roast, 500 g, for the early watch.', 13.9, null),
  product('Sand timer, 5 minutes', 'Exactly as long as an egg.', 16, 45),
  product('Net shopping bag', 'Knotted by hand; holds more than it looks.', 15, 70),
  product('Crab puppet', 'Walks sideways over any table.', 18.5, 28),
  product('Gift card', 'For those who cannot decide.', 25, null),
];

export const DEMO_USERS: readonly string[] = [
  'Ada Lindqvist',
  'Milo Fontana',
  'Hana Okafor',
  'Jonas Berg',
  'Uma Castel',
  'Sören Dahl',
  'Inés Ibarra',
  'Kofi Park',
];

function product(name: string, description: string, price: number, stock: number | null): DemoProduct {
  return { name, description, price, stock };
}
