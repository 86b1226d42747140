import { analyse } from 'scslre';

/** The results for each pattern. The same few patterns occur in many places, and checking one takes milliseconds. */
const judged = new Map<string, string | null>();

/** The fault of a pattern of a contract, as the words that follow the pattern in a message; null when there is none. */
export function faultOfPattern(value: unknown): string | null {
  try {
    // JSON Schema uses the dialect of the flag `u`.
    if (typeof value !== 'string' || !(new RegExp(value, 'u') instanceof RegExp)) return 'is not a text';
  } catch {
    return 'is not a regular expression';
  }
  const slowness = judged.has(value) ? (judged.get(value) ?? null) : slownessOf(value, 'u');
  judged.set(value, slowness);
  return slowness === null ? null : `takes more than linear time: ${slowness}`;
}

/**
 * The reason why the time of a regular expression may grow faster than its text; null when it cannot. The client
 * decides the length of the text, and the service does nothing else while the expression runs.
 */
export function slownessOf(source: string, flags: string): string | null {
  const [report] = analyse({ source, flags }).reports;
  if (report === undefined) return null;
  if (report.type === 'Move') {
    return `${shown(report.quant)} is tried again from each place of «${report.character.pick}»`;
  }
  if (report.type === 'Self') return `${shown(report.quant)} can read the same text in several ways`;
  return `${shown(report.startQuant)} and ${shown(report.endQuant)} can share the same text in several ways`;
}

function shown({ raw }: { readonly raw: string }): string {
  return `«${raw}»`;
}
