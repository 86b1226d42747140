/** The shortest time between two repaints. */
const APART_MS = 250;

/** Repaints the page after changes, at most four times in a second. */
export class Painter {
  private isAsked = false;
  private paintedAt = -Infinity;

  constructor(private readonly paint: () => void) {}

  ask(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    setTimeout(
      // The browser draws no frame of a hidden page, so the page is repainted when it is shown again.
      () => requestAnimationFrame(() => this.go()),
      Math.max(0, this.paintedAt + APART_MS - performance.now()),
    );
  }

  private go(): void {
    this.isAsked = false;
    this.paintedAt = performance.now();
    this.paint();
  }
}
