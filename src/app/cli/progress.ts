import { redraw, tell } from '../terminal.js';

const REDRAW_MS = 100;
const LINE_MS = 10_000;
const WIDTH = 30;

/**
 * Shows the progress of long work on the standard error. On a terminal, it shows a bar. Elsewhere, it writes a line
 * only every ten seconds, so that a log stays short.
 */
export class Progress {
  readonly #isTerminal = process.stderr.isTTY;
  #label = '';
  #drawnAt = performance.now();
  #isDrawn = false;

  /** @param total the number of all steps; 0 when it is not known */
  show(label: string, done: number, total: number): void {
    const now = performance.now();
    const elapsed = now - this.#drawnAt;
    const isSame = label === this.#label;
    if (!isSame) this.#endLine();
    this.#label = label;
    const isEnd = total > 0 && done >= total;
    if (this.#isTerminal ? isSame && !isEnd && elapsed < REDRAW_MS : elapsed < LINE_MS) return;
    this.#drawnAt = now;
    if (this.#isTerminal) redraw(bar(label, done, total));
    else tell(`${lineOf(label, done, total)}\n`);
    this.#isDrawn = this.#isTerminal;
  }

  end(): void {
    this.#endLine();
    this.#label = '';
  }

  #endLine(): void {
    if (this.#isDrawn) tell('\n');
    this.#isDrawn = false;
  }
}

function bar(label: string, done: number, total: number): string {
  if (total === 0) return `${label}  ${number(done)}`;
  const filled = Math.min(WIDTH, Math.floor((done * WIDTH) / total));
  const percent = `${Math.min(100, Math.floor((done * 100) / total))} %`.padStart(5);
  return `${label.padEnd(10)} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${percent}`;
}

function lineOf(label: string, done: number, total: number): string {
  return total === 0 ? `${label}: ${number(done)}` : `${label}: ${number(done)} of ${number(total)}`;
}

/** 1,234,567 */
export function number(value: number): string {
  return value.toLocaleString('en');
}
