interface Metric {
  readonly name: string;
  readonly kind: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly help: string;
}

/** The table of `docs/metrics.md`. */
export function metricsTable(metrics: readonly Metric[]): string {
  const rows = metrics.map(({ name, kind, labels, help }) => {
    const shown = kind === 'counter' ? `${name}_total` : name;
    const all = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`);
    return `| \`${shown}\` | ${kind} | ${help} | ${all.join('. ') || '–'} |`;
  });
  return ['| Metric | Kind | Meaning | Labels |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
