import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { METRICS } from '../../src/engine/metrics/catalogue.js';
import { startApp, type TestApp } from '../support/clients/app.js';
import { scrape } from '../support/clients/metrics.js';
import { onPostgres } from '../support/fixtures/database.js';
import { create } from '../support/fixtures/fixtures.js';
import { promqlNames } from '../support/fixtures/promql.js';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook_url: string };
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] };
const ALERTS = groups.flatMap(({ rules }) => rules);
const { panels } = JSON.parse(read('deploy/grafana/store.json')) as { panels: Panel[] };
const EXPRESSIONS: readonly [string, string][] = [
  ...ALERTS.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [`${title}: ${expr.slice(0, 40)}`, expr]),
  ),
];

/** Names that Prometheus itself adds, and `le`, the label of the buckets of a histogram. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance', 'le'] };

/** The names in an expression. Grafana replaces the variable `$__rate_interval` by a duration. */
const namesIn = (expression: string) => promqlNames(expression.replaceAll('$__rate_interval', '5m'));

/** Metrics that have no samples before a client sends a trusted document. */
const LATE = ['store_graphql_documents_total'];

describe('the files for Prometheus and Grafana', () => {
  let sqlite: TestApp;
  let names: ReadonlySet<string>;
  beforeAll(async () => {
    sqlite = await startApp('sqlite');
    names = await sampleNames(sqlite);
  });
  afterAll(() => sqlite.close());

  it.each([
    'sum(rate(x_total[5m])',
    'rate(x_total[5m]))',
    'sum by (a (x)',
    'x{a=~b}',
    'x{a="b"',
    'x >',
    'nothing(x)',
    'x[5]',
  ])('are read by a parser that refuses %s, which is not PromQL', (expression) => {
    expect(() => namesIn(expression)).toThrow('This parser does not know the PromQL at');
  });

  it('are read by a parser that finds metrics and labels', () => {
    expect(namesIn('sum by (a) (rate(x_total{b="c"}[5m]))')).toEqual({
      metrics: ['x_total'],
      labels: ['a', 'b'],
    });
  });

  it.each(EXPRESSIONS)('ask only for metrics and labels that exist: %s', (_name, expression) => {
    const asked = namesIn(expression);
    expect(asked.metrics.length).toBeGreaterThan(0);
    // The last test of this file looks at the metrics that exist only on PostgreSQL.
    const others = METRICS.filter(({ help }) => help.endsWith('Only on PostgreSQL.')).map(sampleName);
    const known = new Set([...names, ...others, ...LATE, ...OF_PROMETHEUS.metrics]);
    expect(asked.metrics.filter((name) => !known.has(name))).toEqual([]);
    const labels = new Set([
      ...METRICS.flatMap((metric) => Object.keys(metric.labels)),
      ...OF_PROMETHEUS.labels,
    ]);
    expect(asked.labels.filter((label) => !labels.has(label))).toEqual([]);
  });

  it.each(ALERTS.map(({ alert, expr }) => [alert, expr]))(
    'do not count other services, which have metrics of the same names: %s',
    (_name, expression) => {
      const { metrics } = promqlNames(expression);
      for (const name of metrics.filter((metric) => !metric.startsWith('store_'))) {
        const uses = expression.split(name).slice(1);
        expect(uses.filter((rest) => !rest.startsWith('{job="store"'))).toEqual([]);
      }
    },
  );

  it('show every metric in the dashboard, except for those that are listed here', () => {
    const asked = new Set(
      panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr).metrics)),
    );
    const shown = (name: string) =>
      [...asked].some((one) => one.replace(/_(total|bucket|sum|count)$/, '') === name);
    expect(METRICS.map(({ name }) => name).filter((name) => !shown(name) && !asked.has(name))).toEqual([
      'v8js_memory_heap_limit_bytes',
      'nodejs_eventloop_delay_mean_seconds',
    ]);
  });

  it('have an alert for each section about alerts in docs/operations.md, in the same order', () => {
    const page = read('docs/operations.md');
    const section = page.slice(page.indexOf('## Alerts'));
    const titles = [...section.slice(0, section.search(/\n## (?!Alerts)/)).matchAll(/^### (\w+)$/gm)];
    expect(titles.map(([, title]) => title)).toEqual(ALERTS.map(({ alert }) => alert));
    for (const { alert, annotations } of ALERTS) {
      expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    }
  });
});

describe('the files for Prometheus and Grafana, on PostgreSQL', onPostgres, () => {
  it('ask only for metrics that exist, except for those that are listed here', async () => {
    const store = await startApp('postgres');
    const names = new Set([...(await sampleNames(store)), ...OF_PROMETHEUS.metrics]);
    const absent = EXPRESSIONS.flatMap(([, expression]) => namesIn(expression).metrics).filter(
      (name) => !names.has(name),
    );
    await store.close();
    expect(new Set(absent)).toEqual(
      new Set([
        'store_graphql_documents_total',
        'store_commit_batch_size_sum',
        'store_commit_batch_size_count',
      ]),
    );
  });
});

function sampleName({ name, kind }: (typeof METRICS)[number]): string {
  return kind === 'counter' ? `${name}_total` : name;
}

async function sampleNames(store: TestApp): Promise<ReadonlySet<string>> {
  await create(store);
  return new Set((await scrape(store)).flatMap(({ samples }) => samples.map(({ name }) => name)));
}
