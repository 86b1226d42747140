import type { Metric } from './metric.js';
import { Histogram } from './instruments.js';
import type { Family, Labels } from './registry.js';

// The formats of the metrics, by their media types.
export const PROMETHEUS = 'text/plain';
export const OPEN_METRICS = 'application/openmetrics-text';

export type MetricsFormat = typeof PROMETHEUS | typeof OPEN_METRICS;

/** The full value of `Content-Type` of each format. Prometheus needs the parameters. */
export const CONTENT_TYPES: Readonly<Record<MetricsFormat, string>> = {
  [PROMETHEUS]: `${PROMETHEUS}; version=0.0.4; charset=utf-8`,
  [OPEN_METRICS]: `${OPEN_METRICS}; version=1.0.0; charset=utf-8`,
};

/** The name of the samples of a metric, as queries use it. A histogram has three such names; see `histogramLines`. */
function sampleName({ name, kind }: Metric): string {
  return kind === 'counter' ? `${name}_total` : name;
}

/**
 * Writes metrics in the text format of Prometheus (0.0.4) or in OpenMetrics 1.0. A metric without samples is left out.
 * OpenMetrics differs from the other format in six points:
 *
 * - it names a counter without `_total` in descriptions
 * - it escapes quotes in descriptions
 * - it states units
 * - it writes bounds with a decimal point
 * - it has exemplars (the ids of traces)
 * - it ends with `# EOF`
 */
export function exposition(families: readonly Family[], format: MetricsFormat): string {
  const isOpen = format === OPEN_METRICS;
  let text = '';
  for (const { metric, samples } of families) {
    if (samples.length === 0) continue;
    const family = isOpen ? metric.name : sampleName(metric);
    text += `# HELP ${family} ${escaped(metric.help, isOpen)}\n# TYPE ${family} ${metric.kind}\n`;
    if (isOpen && metric.unit !== null) text += `# UNIT ${family} ${metric.unit}\n`;
    const name = sampleName(metric);
    for (const [labels, value] of samples) {
      if (value instanceof Histogram) text += histogramLines(name, labels, value, isOpen);
      else text += `${name}${labelsOf(labels)} ${numberOf(value)}\n`;
    }
  }
  return isOpen ? `${text}# EOF\n` : text;
}

function histogramLines(
  name: string,
  labels: Labels,
  { bounds, counts, sum, exemplars }: Histogram,
  isOpen: boolean,
): string {
  let text = '';
  let count = 0;
  counts.forEach((between, index) => {
    count += between;
    const bound = bounds[index];
    const le = bound === undefined ? '+Inf' : boundOf(bound, isOpen);
    const exemplar = isOpen ? exemplars?.[index] : undefined;
    const shown =
      exemplar === undefined
        ? ''
        : ` # ${labelsOf({ trace_id: exemplar.trace.id })} ${numberOf(exemplar.value)}`;
    text += `${name}_bucket${labelsOf({ ...labels, le })} ${count}${shown}\n`;
  });
  const own = labelsOf(labels);
  return `${text}${name}_sum${own} ${numberOf(sum)}\n${name}_count${own} ${count}\n`;
}

function labelsOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value, true)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** In `HELP`, the text format of Prometheus has no escape for a quote, because a quote ends nothing there. */
function escaped(text: string, isQuoteEscaped: boolean): string {
  const escapedText = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return isQuoteEscaped ? escapedText.replaceAll('"', '\\"') : escapedText;
}

function boundOf(bound: number, isOpen: boolean): string {
  return isOpen && Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

function numberOf(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
