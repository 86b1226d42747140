import { BAR_WIDTH, leftOf, viewOf, type Chart } from '../../src/rules/order-figures.js';

const SVG = 'http://www.w3.org/2000/svg';

/** The elements of a chart. They are made once; after that, only their attributes and texts change. */
export class ChartElements {
  private readonly picture: SVGElement;
  private readonly bars: readonly (readonly [SVGElement, SVGElement])[];

  constructor(
    private readonly figure: Element,
    count: number,
  ) {
    this.picture = figure.querySelector('svg') as SVGElement;
    this.picture.setAttribute('viewBox', viewOf(count));
    this.bars = Array.from({ length: count }, (_, index) => {
      const bar = document.createElementNS(SVG, 'rect');
      const title = document.createElementNS(SVG, 'title');
      bar.setAttribute('x', String(leftOf(index)));
      bar.setAttribute('width', String(BAR_WIDTH));
      bar.append(title);
      return [bar, title] as const;
    });
    this.picture.replaceChildren(...this.bars.map(([bar]) => bar));
    this.bars.at(-1)?.[0].classList.add('now');
  }

  draw({ sum, summary, most, ends, bars }: Chart): void {
    this.bars.forEach(([bar, title], index) => {
      const { text = '', top = '', height = '' } = bars[index] ?? {};
      bar.setAttribute('y', top);
      bar.setAttribute('height', height);
      if (title.textContent !== text) title.textContent = text;
    });
    put(this.figure, '.sum', sum);
    put(this.figure, '.most', most);
    put(this.figure, '.from', ends[0]);
    put(this.figure, '.to', ends[1]);
    this.picture.setAttribute('aria-label', summary);
  }
}

/** Changes the text of a part of the page, but only if the new text is different. */
export function put(place: Element, selector: string, text: string): void {
  const part = place.querySelector(selector);
  if (part && part.textContent !== text) part.textContent = text;
}
