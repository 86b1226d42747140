import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { METRICS } from '../../src/engine/metrics/catalogue.js';
import { freePort } from '../../testkit/free-port.js';
import { serve, type Service } from '../../testkit/process.js';
import { ALERT_CASES } from '../support/fixtures/alerts.js';
import {
  promtool,
  startPrometheus,
  withPrometheus,
  type Prometheus,
} from '../support/fixtures/prometheus.js';

const ADMIN_KEY = 'an-administrator-key-for-tests-only-0123456789';
const SHIPPED = 'deploy/prometheus';
const RULES = readFileSync(`${SHIPPED}/alerts.yml`, 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const { groups } = parse(RULES) as { groups: { rules: Rule[] }[] };
const ALERTS = groups.flatMap(({ rules }) => rules);
const { panels } = JSON.parse(readFileSync('deploy/grafana/store.json', 'utf8')) as { panels: Panel[] };

/** The expression without the bound at its end. It has a value even while the alert does not fire. */
const measured = (expr: string): string => expr.replace(/ (?:>|==) [\d.]+$/, '');

/** The expression of a panel, with a value in the place of each variable of Grafana. */
const shown = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');

const EXPRESSIONS: readonly (readonly [name: string, expr: string])[] = [
  ...ALERTS.map(({ alert, expr }) => [alert, measured(expr)] as const),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }, index) => [`${title} ${index + 1}`, shown(expr)] as const),
  ),
];

const NO_FAILURE = 'no request fails with 5xx';
const ON_POSTGRESQL = 'only on PostgreSQL';
/** The expressions that have no value in this test, which runs on SQLite, each with the reason. */
const WITHOUT_VALUE: Readonly<Record<string, string>> = {
  StoreServerErrors: NO_FAILURE,
  StoreDatabaseConnections: ON_POSTGRESQL,
  StoreReplicaAway: 'only with a replica',
  StoreEventsNotMoved: ON_POSTGRESQL,
  'Failures 1': NO_FAILURE,
  'Trusted documents 1': 'no client sends a trusted document',
  'Acts 2': ON_POSTGRESQL,
  'Connections to PostgreSQL 1': ON_POSTGRESQL,
  'Connections to PostgreSQL 2': ON_POSTGRESQL,
  'Connections to PostgreSQL 3': ON_POSTGRESQL,
  'Replica 1': 'only with a replica',
  'Replica 2': ON_POSTGRESQL,
  'Outbox 1': ON_POSTGRESQL,
  'Outbox 2': ON_POSTGRESQL,
  'Outbox 3': ON_POSTGRESQL,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-prometheus-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const alertsOf = (cases: typeof ALERT_CASES) => [...new Set(cases.map(({ alert }) => alert))];

/** A case as a test of promtool. The texts of the rules have places for labels, such as `{{ $labels.instance }}`. */
function asTest({ alert, what, series, fires }: (typeof ALERT_CASES)[number]): object {
  const rule = ALERTS.find((one) => one.alert === alert);
  const filled = (labels: Readonly<Record<string, string>>) =>
    Object.entries(rule?.annotations ?? {}).map(([name, text]) => [
      name,
      text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_all, label: string) => labels[label] ?? ''),
    ]);
  return {
    name: `${alert}: ${what}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      {
        eval_time: '30m',
        alertname: alert,
        exp_alerts: fires.map((labels) => ({
          exp_labels: { ...rule?.labels, ...labels },
          exp_annotations: Object.fromEntries(filled(labels)) as object,
        })),
      },
    ],
  };
}

/** Tests rules with these cases. Promtool also reads JSON, because JSON is YAML. */
function judge(name: string, rules: string, cases = ALERT_CASES): ReturnType<typeof promtool> {
  writeFileSync(join(folder, `${name}.yml`), rules);
  const tests = {
    rule_files: [`${name}.yml`],
    evaluation_interval: '1m',
    tests: cases.map(asTest),
  };
  const file = join(folder, `${name}.test.yml`);
  writeFileSync(file, JSON.stringify(tests));
  return promtool('test', 'rules', file);
}

describe('the alert rules', withPrometheus, () => {
  it('are valid, and so is the configuration', async () => {
    expect(await promtool('check', 'rules', `${SHIPPED}/alerts.yml`)).toMatchObject({ code: 0 });
    expect(await promtool('check', 'config', `${SHIPPED}/prometheus.yml`)).toMatchObject({ code: 0 });
  });

  it('have a case in which they fire, and a case in which they do not', () => {
    const names = ALERTS.map(({ alert }) => alert);
    expect(alertsOf(ALERT_CASES.filter(({ fires }) => fires.length > 0))).toEqual(names);
    expect(alertsOf(ALERT_CASES.filter(({ fires }) => fires.length === 0))).toEqual(names);
  });

  it('have cases with labels that the service sends', () => {
    const meanings = METRICS.flatMap((metric) => Object.entries<string>(metric.labels));
    const wrong = ALERT_CASES.flatMap(({ series }) => Object.keys(series)).filter((name) =>
      [...name.matchAll(/(\w+)="([^"]*)"/g)].some(([, label = '', value = '']) => {
        if (['job', 'instance', 'le'].includes(label) || label.startsWith('http_')) return false;
        if (label === 'v8js_heap_space_name') return false;
        return !meanings.some(([known, meaning]) => known === label && meaning.includes(`\`${value}\``));
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('fire in exactly the cases in which they should', async () => {
    expect(await judge('shipped', RULES)).toMatchObject({ code: 0 });
  });

  it.each([
    ['StoreServerErrors', 'status_code=~"5.."', 'status_code=~"5."'],
    ['StoreMemory', '/ on (instance)', '/'],
    ['StoreReplicaAway', 'server="primary"', 'server="main"'],
    ['StoreCredentialsNotChecked', 'result="failed"', 'result="fail"'],
    ['StoreRestarts', '[15m]) > 2', '[15m]) > 3'],
    ['StoreConsumersDropped', 'sum by (reason) (inc', 'sum (inc'],
  ])('do not pass their cases with a fault in %s: %s becomes %s', async (alert, from, to) => {
    expect(RULES).toContain(from);
    const cases = ALERT_CASES.filter((one) => one.alert === alert);
    const { code, output } = await judge(alert, RULES.replace(from, to), cases);
    expect(code).not.toBe(0);
    expect(output).toContain(alert);
  });
});

describe('a Prometheus that reads the metrics of the service', withPrometheus, () => {
  let service: Service;
  let prometheus: Prometheus;

  beforeAll(async () => {
    const port = await freePort();
    service = await serve({
      STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      STORE_METRICS_PORT: String(port),
      STORE_ADMIN_KEY: ADMIN_KEY,
    });
    const home = join(folder, 'home');
    cpSync(SHIPPED, home, { recursive: true });
    const configuration = readFileSync(join(home, 'prometheus.yml'), 'utf8')
      .replace('scrape_interval: 15s', 'scrape_interval: 1s\n  evaluation_interval: 1s')
      .replace(/targets: .*/, `targets: ['127.0.0.1:${port}']`);
    writeFileSync(join(home, 'prometheus.yml'), configuration);
    prometheus = await startPrometheus(home);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await service?.stop('SIGINT');
  });

  async function send(path: string, body?: object, headers: object = {}): Promise<number> {
    const { status } = await fetch(service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return status;
  }

  /** The names of the expressions without a series. */
  async function withoutValue(): Promise<string[]> {
    const empty: string[] = [];
    for (const [name, query] of EXPRESSIONS) {
      const { result } = await prometheus.ask<{ result: unknown[] }>('query', { query });
      if (result.length === 0) empty.push(name);
    }
    return empty;
  }

  it('evaluates every rule', async () => {
    interface Evaluated {
      readonly groups: readonly { readonly rules: readonly { name: string; health: string }[] }[];
    }
    const evaluated = async () => {
      const answer = await prometheus.ask<Evaluated>('rules');
      return answer.groups.flatMap(({ rules }) => rules.map(({ name, health }) => [name, health]));
    };
    await expect.poll(evaluated).toEqual(ALERTS.map(({ alert }) => [alert, 'ok']));
  });

  it('has a value for every alert and every panel that can have a value on SQLite', async () => {
    const product = { name: 'Chai', price: 18 };
    expect(await send('/api/v1/products', product, { 'idempotency-key': 'one' })).toBe(201);
    expect(await send('/api/v1/products', product, { 'idempotency-key': 'one' })).toBe(201);
    expect(await send('/api/v1/products?q=chai')).toBe(200);
    expect(await send('/api/v1/products', product, { 'x-api-key': 'sk_1_wrong' })).toBe(401);
    expect(await send('/graphql', { query: '{ products { id } }' })).toBe(200);
    // A rate needs two samples.
    await expect.poll(withoutValue, { interval: 1_000, timeout: 60_000 }).toEqual(Object.keys(WITHOUT_VALUE));
  });
});
