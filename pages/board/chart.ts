const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 100;
const WIDTH = 10;
const GAP = 2;

export interface Bar {
  readonly value: number;
  /** The value with its time, in words. */
  readonly text: string;
}

/** A chart of bars. The elements are made once; after that, only their attributes change. */
export class Chart {
  private readonly bars: readonly (readonly [SVGElement, SVGElement])[];

  constructor(
    private readonly figure: Element,
    count: number,
  ) {
    const picture = figure.querySelector('svg') as SVGElement;
    picture.setAttribute('viewBox', `0 0 ${count * WIDTH - GAP} ${HEIGHT}`);
    this.bars = Array.from({ length: count }, (_, index) => {
      const bar = document.createElementNS(SVG, 'rect');
      const title = document.createElementNS(SVG, 'title');
      bar.setAttribute('x', String(index * WIDTH));
      bar.setAttribute('width', String(WIDTH - GAP));
      bar.append(title);
      picture.append(bar);
      return [bar, title] as const;
    });
    this.bars.at(-1)?.[0].classList.add('now');
  }

  /** @param most the text of the highest value */
  draw(bars: readonly Bar[], most: string, ends: readonly [string, string], summary: string): void {
    const highest = Math.max(...bars.map(({ value }) => value), 1);
    this.bars.forEach(([bar, title], index) => {
      const { value, text } = bars[index] ?? { value: 0, text: '' };
      // A value above 0 is always visible.
      const height = value === 0 ? 0 : Math.max((value / highest) * HEIGHT, 2);
      bar.setAttribute('y', (HEIGHT - height).toFixed(1));
      bar.setAttribute('height', height.toFixed(1));
      if (title.textContent !== text) title.textContent = text;
    });
    this.put('.most', most);
    this.put('.from', ends[0]);
    this.put('.to', ends[1]);
    this.figure.querySelector('svg')?.setAttribute('aria-label', summary);
  }

  private put(selector: string, text: string): void {
    const element = this.figure.querySelector(selector);
    if (element && element.textContent !== text) element.textContent = text;
  }
}
