import { cpus } from 'node:os';
import type { Effort, Measured, RowResult } from './measure.ts';
import { isReached, type Target, type Spread } from './statistics.ts';

/** One line of the result. */
export interface Finding {
  readonly name: string;
  readonly title: string;
  readonly unit: 'ratio' | '%' | 'µs' | 's' | 'MB';
  readonly value: Spread;
  readonly target: Target | null;
  /** Whether the median reaches the target; null when there is no target. */
  readonly reached: boolean | null;
  readonly contenders: readonly Measured[];
}

export function finding(
  { name, title, target }: Pick<Finding, 'name' | 'title' | 'target'>,
  unit: Finding['unit'],
  value: Spread,
  contenders: RowResult['contenders'] | readonly [] = [],
): Finding {
  const reached = target === null ? null : isReached(target, value.median);
  return { name, title, unit, value, target, reached, contenders };
}

/** The result for programs: all data, with a description of this machine. */
export function jsonOf(findings: readonly Finding[], effort: Effort): string {
  const [cpu] = cpus();
  const machine = {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    node: process.version,
    platform: process.platform,
  };
  const { products, rounds, seconds } = effort;
  const run = { at: new Date().toISOString(), products, rounds, seconds };
  return `${JSON.stringify({ machine, run, findings }, null, 2)}\n`;
}

export function tableHead(): string {
  return [
    columns(['row', 'median', 'min – max', 'target', 'reached', 'CPU per request, requests/s (medians)']),
    columns(['---', '------', '---------', '------', '-------', '------------------------------------']),
  ].join('\n');
}

export function tableLine({ title, unit, value, target, reached, contenders }: Finding): string {
  const digits = { ratio: 2, '%': 2, µs: 1, s: 2, MB: 0 }[unit];
  const number = (of: number): string => of.toFixed(digits);
  const suffix = unit === 'ratio' ? '' : ` ${unit}`;
  return columns([
    title,
    `${number(value.median)}${suffix}`,
    `${number(value.min)} – ${number(value.max)}`,
    target === null ? '' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}${suffix}`,
    reached === null ? '' : reached ? 'yes' : 'NO',
    contenders.map(side).join('   '),
  ]);
}

function side({ server, kind, cpuMicros, requestsPerSecond, lag }: Measured): string {
  const speed = `${cpuMicros.median.toFixed(1)} µs, ${Math.round(requestsPerSecond.median)}/s`;
  const delay =
    lag === undefined ? '' : `, lag p50 ${lag.p50.median.toFixed(1)} p99 ${lag.p99.median.toFixed(1)} ms`;
  return `${server} ${kind} ${speed}${delay}`;
}

function columns([title = '', ...rest]: readonly string[]): string {
  const widths = [8, 15, 9, 8, 0];
  return [title.padEnd(34), ...rest.map((text, index) => text.padEnd(widths[index] ?? 0))]
    .join(' ')
    .trimEnd();
}
