import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plainManifests } from '../../tools/manifests.ts';
import { loadConfig } from '../../src/engine/config/config.js';
import { SETTINGS, type Setting } from '../../src/engine/config/settings.js';
import type { ChartFiles, Manifest } from '../../tools/helm/chart.ts';
import { CHART, manifestsOf, podOf, podsOf, SETS, type Variable } from '../support/fixtures/chart.js';
import { faultsOf } from '../support/fixtures/kubernetes.js';
import { ENUMERATIONS, leavesOf, placeOf, wrongValuesOf } from '../support/fixtures/kubernetes-values.js';
import { sampled } from '../support/sampled.js';

interface Monitor {
  readonly spec: { readonly jobLabel: string; readonly selector: { readonly matchLabels: object } };
}

const NAMES = Object.keys(SETS);
const POSTGRESQL = SETS['postgresql'] ?? {};
const FULL = SETS['postgresql-full'] ?? {};

/** The chart with another text in one of its files. */
function changed(file: string, from: string, to: string): ChartFiles {
  const before = CHART[file] ?? '';
  if (!before.includes(from)) throw new Error(`${file} has no ${from}`);
  return { ...CHART, [file]: before.replace(from, to) };
}

const kindsIn = (manifests: readonly Manifest[]): string[] => manifests.map(({ kind }) => kind).toSorted();

/** All values at members of this name, at any depth. */
function allOf(node: unknown, member: string): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => (name === member ? [value] : allOf(value, member)));
}

/** The environment of a pod. Each secret has the same 40 characters, or is the address of a server. */
function environmentOf(variables: readonly Variable[]): Record<string, string> {
  const addresses: Record<string, string> = {
    STORE_DATABASE_URL: 'postgres://store:hidden@postgres/store',
    STORE_DATABASE_DIRECT_URL: 'postgres://store:hidden@postgres/store',
    STORE_DATABASE_READ_URL: 'postgres://store:hidden@replica/store',
    STORE_REDIS_URL: 'redis://redis:6379',
  };
  return Object.fromEntries(
    variables.map(({ name, value }) => [name, value ?? addresses[name] ?? 'x'.repeat(40)]),
  );
}

describe('the chart', () => {
  it('has six sets of values', () => {
    expect(NAMES).toHaveLength(6);
  });

  it.each(sampled(NAMES, 2))('makes only objects whose types and values Kubernetes knows: %s', (name) => {
    expect(faultsOf(manifestsOf(SETS[name] ?? {}))).toEqual([]);
  });

  it('makes one replica with a volume on SQLite', () => {
    const manifests = manifestsOf({});
    expect(kindsIn(manifests)).toEqual(['Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'Service']);
    expect(manifests.find(({ kind }) => kind === 'Deployment')).toMatchObject({
      spec: { replicas: 1, strategy: { type: 'Recreate' } },
    });
  });

  it('makes a rolling update on PostgreSQL, with a budget, a scaler and a migration', () => {
    const manifests = manifestsOf(FULL);
    expect(kindsIn(manifests)).toEqual([
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'Service',
      'ServiceMonitor',
    ]);
    const deployment = manifests.find(({ kind }) => kind === 'Deployment');
    expect(deployment).toMatchObject({
      spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } },
    });
    // The scaler sets the number of replicas, and an upgrade must not reset this number.
    expect(deployment?.['spec']).not.toHaveProperty('replicas');
    expect(podOf(manifests, 'Deployment').spec.topologySpreadConstraints).toHaveLength(2);
  });

  it.each(sampled(NAMES, 3))('gives each pod no more rights than it needs: %s', (name) => {
    const manifests = manifestsOf(SETS[name] ?? {});
    for (const { spec } of podsOf(manifests)) {
      expect(spec).toMatchObject({
        enableServiceLinks: false,
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(spec.securityContext.runAsUser).toBeGreaterThan(0);
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.limits.memory).toMatch(/^\d+[MG]i$/);
      }
    }
    expect(podOf(manifests, 'Deployment').spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20);
  });

  it.each(sampled(NAMES, 3))('makes objects whose names, labels and ports match: %s', (name) => {
    const manifests = manifestsOf(SETS[name] ?? {});
    const pod = podOf(manifests, 'Deployment');
    const [container] = pod.spec.containers;
    const ports = container.ports?.map((port) => port.name) ?? [];
    const claims = manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim');
    const services = manifests.filter(({ kind }) => kind === 'Service');
    const servicePorts = services.flatMap((service) => allOf(service, 'ports').flat());

    const own = manifests.filter(({ kind }) => kind !== 'ServiceMonitor');
    for (const labels of allOf(own, 'matchLabels').filter(
      (each) => 'app.kubernetes.io/instance' in (each as object),
    ))
      expect(pod.metadata.labels).toMatchObject(labels as object);
    for (const { spec } of services as unknown as { spec: { selector: object } }[])
      expect(pod.metadata.labels).toMatchObject(spec.selector);
    expect(ports).toEqual(expect.arrayContaining(allOf(services, 'targetPort')));
    expect(ports).toEqual(expect.arrayContaining(allOf(allOf(container, 'httpGet'), 'port')));
    for (const { spec } of podsOf(manifests))
      expect(spec.containers[0].volumeMounts.map((mount) => mount.name)).toEqual(
        spec.volumes.map((volume) => volume.name),
      );
    const claimed = pod.spec.volumes.flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []);
    expect(claimed.filter((claim) => claim !== 'shop-data')).toEqual(
      claims.map(({ metadata }) => metadata.name),
    );
    expect(allOf(manifests, 'scaleTargetRef').map((target) => (target as { name: string }).name)).toEqual(
      allOf(manifests, 'scaleTargetRef').map(() => 'store'),
    );

    const monitors = manifests.filter(({ kind }) => kind === 'ServiceMonitor');
    for (const { spec } of monitors as unknown as Monitor[])
      expect(services.map(({ metadata }) => metadata.labels)).toContainEqual(
        // The Prometheus Operator makes the label `job` from `jobLabel`. The alerts need the job "store".
        expect.objectContaining({ ...spec.selector.matchLabels, [spec.jobLabel]: 'store' }),
      );
    for (const { port } of allOf(monitors, 'endpoints').flat() as { port: string }[])
      expect(servicePorts).toContainEqual(expect.objectContaining({ name: port }));
    const backends = allOf(manifests, 'backend') as { service: { name: string; port: { name: string } } }[];
    for (const { service } of backends)
      expect([services[0]?.metadata.name, 'http']).toEqual([service.name, service.port.name]);
  });

  it.each(sampled(NAMES, 3))('has probes that request the health checks of the service: %s', (name) => {
    const [container] = podOf(manifestsOf(SETS[name] ?? {}), 'Deployment').spec.containers;
    const { startupProbe, readinessProbe, livenessProbe } = container;
    const paths = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet);
    expect(paths).toEqual([
      { path: '/health/live', port: 'http' },
      { path: '/health/ready', port: 'http' },
      { path: '/health/live', port: 'http' },
    ]);
  });

  it.each(NAMES)(
    'gives the service only settings that the service knows, and secrets only as references: %s',
    (name) => {
      for (const { spec } of podsOf(manifestsOf(SETS[name] ?? {}))) {
        const [{ env }] = spec.containers;
        expect(() => loadConfig(environmentOf(env))).not.toThrow();
        const secret = Object.values<Setting>(SETTINGS)
          .filter(({ shown }) => shown !== undefined)
          .map((setting) => setting.name);
        const plain = env.filter(({ value }) => value !== undefined && !value.startsWith('sqlite:'));
        expect(plain.filter((variable) => secret.includes(variable.name))).toEqual([]);
      }
    },
  );

  it('accepts no secret setting in `settings`, whose values are plain texts', () => {
    const names = Object.values<Setting>(SETTINGS).flatMap(({ name, shown }) => (shown ? name : []));
    expect(names).toContain('STORE_SECRET');
    for (const name of [...names, 'OTEL_EXPORTER_OTLP_HEADERS', 'STORE_DATABASE_READ_URL'])
      expect(() => manifestsOf({ settings: { [name]: 'x' } })).toThrow('property name must be valid');
  });

  it('accepts every setting of the store that it does not set itself', () => {
    const known = Object.values<Setting>(SETTINGS).map(({ name }) => name);
    const { definitions } = JSON.parse(CHART['values.schema.json'] ?? '') as {
      definitions: { setting: { anyOf: [object, { enum: string[] }] } };
    };
    const own = new Set(['STORE_METRICS_PORT']);
    const wanted = known.filter((name) => name.startsWith('STORE_') && !own.has(name));
    expect(definitions.setting.anyOf[1].enum).toEqual(wanted);
  });

  it.each<[string, object, string]>([
    ['more replicas on SQLite', { replicas: 2 }, 'replicas must be equal to constant'],
    [
      'a scaler on SQLite',
      { autoscaling: { enabled: true } },
      'autoscaling/enabled must be equal to constant',
    ],
    [
      'a database of another kind',
      { database: 'mysql' },
      'database must be equal to one of the allowed values',
    ],
    ['PostgreSQL without its address', { database: 'postgresql' }, "required property 'STORE_DATABASE_URL'"],
    ['PostgreSQL without the secret', { database: 'postgresql' }, "required property 'STORE_SECRET'"],
    ...['STORE_DATABASE_DIRECT_URL', 'STORE_DATABASE_READ_URL'].map((name): [string, object, string] => [
      `${name} on SQLite`,
      { secretSettings: { [name]: { name: 'store', key: 'x' } } },
      'secretSettings property name must be valid',
    ]),
    ['a misspelt value', { replica: 1 }, 'must NOT have additional properties "replica"'],
    [
      'a misspelt value in a part',
      { image: { tga: '1' } },
      'image must NOT have additional properties "tga"',
    ],
    [
      'a setting that does not exist',
      { settings: { STORE_TOKENS_TTL: '600' } },
      'settings property name must be valid',
    ],
    [
      'the port of the metrics as a secret',
      { secretSettings: { STORE_METRICS_PORT: { name: 'store', key: 'x' } } },
      'secretSettings property name must be valid',
    ],
    [
      'a number as a setting',
      { settings: { STORE_TOKEN_TTL: 600 } },
      'settings/STORE_TOKEN_TTL must be string',
    ],
    ['a secret as a text', { secretSettings: { STORE_SECRET: 'x' } }, 'STORE_SECRET must be object'],
    ['a stop that is too short', { terminationGracePeriodSeconds: 10 }, 'must be >= 20'],
    ['the user root', { user: 0 }, 'user must be >= 1'],
    [
      'a monitor without metrics',
      { metrics: { serviceMonitor: { enabled: true } } },
      'must be equal to constant',
    ],
    ['an Ingress without a host', { ingress: { enabled: true } }, 'ingress/hosts must NOT have fewer than 1'],
  ])('refuses %s', (_what, values, fault) => {
    expect(() => manifestsOf(values as Record<string, unknown>)).toThrow(fault);
  });

  it.each(
    sampled(
      [
        ['deployment.yaml', 'readinessProbe:', 'readinesProbe:', '\'"readinesProbe"\' does not exist'],
        [
          'deployment.yaml',
          'failureThreshold: 450',
          "failureThreshold: '450'",
          "not assignable to type 'number'",
        ],
        [
          '_helpers.tpl',
          'value: {{ .Values.port | quote }}',
          'value: {{ .Values.port }}',
          "assignable to type 'string'",
        ],
        ['_helpers.tpl', 'seccompProfile:', 'seccompProfil:', '\'"seccompProfil"\' does not exist'],
        ['_helpers.tpl', '    drop: [ALL]', '    drops: [ALL]', '\'"drops"\' does not exist'],
        [
          'scaling.yaml',
          'apiVersion: autoscaling/v2',
          'apiVersion: autoscaling/v2beta2',
          'autoscaling/v2beta2',
        ],
        [
          'scaling.yaml',
          'kind: HorizontalPodAutoscaler',
          'kind: HorizontalAutoscaler',
          'HorizontalAutoscaler',
        ],
        [
          'migration.yaml',
          'restartPolicy: Never',
          'restartPolicies: Never',
          '\'"restartPolicies"\' does not exist',
        ],
        ['network-policy.yaml', 'policyTypes:', 'policyType:', '\'"policyType"\' does not exist'],
        ['service-monitor.yaml', 'interval:', 'intervall:', '\'"intervall"\' does not exist'],
        ['ingress.yaml', 'pathType: Prefix', '', "Property 'pathType' is missing"],
      ],
      3,
    ),
  )('is refused with a fault in %s: "%s" becomes "%s"', (file, from, to, fault) => {
    const chart = changed(`templates/${file}`, from ?? '', to ?? '');
    expect(faultsOf(manifestsOf(FULL, chart)).join('\n')).toContain(fault);
  });

  it.each(
    sampled(
      [
        ['deployment.yaml', 'type: Recreate', 'type: Recreated', 'strategy.type is Recreated'],
        ['deployment.yaml', 'type: RollingUpdate', 'type: RolingUpdate', 'strategy.type is RolingUpdate'],
        ['deployment.yaml', 'ScheduleAnyway', 'ScheduleAnyways', 'whenUnsatisfiable is ScheduleAnyways'],
        ['deployment.yaml', 'protocol: TCP', 'protocol: TPC', 'containers.ports.protocol is TPC'],
        ['service.yaml', 'protocol: TCP', 'protocol: tcp', 'Service.spec.ports.protocol is tcp'],
        ['service.yaml', 'type: ClusterIP', 'type: ClusterIp', 'Service.spec.type is ClusterIp'],
        ['network-policy.yaml', 'protocol: UDP', 'protocol: UPD', 'egress.ports.protocol is UPD'],
        ['network-policy.yaml', '[Ingress, Egress]', '[Ingres, Egress]', 'policyTypes is Ingres.'],
        [
          '_helpers.tpl',
          'type: RuntimeDefault',
          'type: RuntimeDefalt',
          'seccompProfile.type is RuntimeDefalt',
        ],
        ['_helpers.tpl', 'drop: [ALL]', 'drop: [AL]', 'capabilities.drop is AL.'],
        ['_helpers.tpl', 'OnRootMismatch', 'OnRootMissmatch', 'fsGroupChangePolicy is OnRootMissmatch'],
        ['scaling.yaml', 'type: Utilization', 'type: Utilisation', 'resource.target.type is Utilisation'],
        ['scaling.yaml', 'type: Resource', 'type: Resources', 'metrics.type is Resources'],
        ['scaling.yaml', 'type: Pods', 'type: Pod', 'policies.type is Pod.'],
        ['migration.yaml', 'restartPolicy: Never', 'restartPolicy: Nevr', 'restartPolicy is Nevr'],
        ['migration.yaml', 'restartPolicy: Never', 'restartPolicy: Always', 'restartPolicy is Always'],
        ['ingress.yaml', 'pathType: Prefix', 'pathType: Prefixx', 'pathType is Prefixx'],
      ],
      4,
    ),
  )('is refused with a value in %s that Kubernetes does not know: %s becomes %s', (file, from, to, fault) => {
    const chart = changed(`templates/${file}`, from, to);
    // Only the deployment on SQLite has the strategy `Recreate`.
    const made = [...manifestsOf(FULL, chart), ...manifestsOf(SETS['sqlite-full'] ?? {}, chart)];
    expect(wrongValuesOf(made).join('\n')).toContain(fault);
  });

  it('has a list of allowed values for each place with a capitalized word, except `kind`, variables and one label', () => {
    const leaves = leavesOf(Object.values(SETS).flatMap((values) => manifestsOf(values)));
    const compared = new Set(leaves.flatMap(({ path }) => placeOf(path) ?? []));
    expect(Object.keys(ENUMERATIONS).filter((place) => !compared.has(place))).toEqual([]);
    const words = leaves.filter(
      ({ path, value }) => /^[A-Z][A-Za-z]+$/.test(String(value)) && placeOf(path) === undefined,
    );
    const members = words.map(({ path }) => path.split('.').slice(-2).join('.'));
    expect([...new Set(members)].filter((member) => !member.endsWith('.kind')).toSorted()).toEqual([
      'env.name',
      'env.value',
      'kubernetes.io/managed-by',
    ]);
  });

  it('is refused with one report that has both its wrong types and its wrong values', () => {
    const chart = changed('templates/ingress.yaml', 'pathType: Prefix', 'pathTyp: Prefix');
    const name = 'templates/_helpers.tpl';
    const both = { ...chart, [name]: changed(name, 'drop: [ALL]', 'drop: [AL]')[name] ?? '' };
    const faults = faultsOf(manifestsOf(FULL, both)).join('\n');
    expect(faults).toContain('\'"pathTyp"\' does not exist');
    expect(faults).toContain('capabilities.drop is AL.');
  });

  it.each([
    ['deployment.yaml', '.Values.replicas', '.Values.replica', 'line 9: .Values.replica does not exist'],
    ['deployment.yaml', '"store.labels"', '"store.label"', 'line 6: include has no template "store.label"'],
    ['deployment.yaml', '| nindent 4', '| indent 4', 'line 6: the chart may not use the function indent'],
    ['service.yaml', '{{- end }}', '', 'with has no end'],
    ['service.yaml', 'apiVersion: v1', 'apiVersion: v1\napiVersion: v1', 'Map keys must be unique'],
  ])('cannot be read with a fault in %s: "%s" becomes "%s"', (file, from, to, fault) => {
    const chart = changed(`templates/${file}`, from, to);
    expect(() => manifestsOf(POSTGRESQL, chart)).toThrow(fault);
  });

  it('has the version of the service', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(CHART['Chart.yaml']).toContain(`\nappVersion: ${version}\n`);
    expect(podOf(manifestsOf({}), 'Deployment').spec.containers[0].image).toBe(`store-service:${version}`);
  });

  it('leaves its sets of values out of the package', () => {
    expect(readFileSync('deploy/helm/store/.helmignore', 'utf8').split('\n')).toContain('ci/');
  });
});

describe('the manifests without Helm', () => {
  it('are the output of the chart; "npm run manifests" writes them', async () => {
    const written = readdirSync('deploy/kubernetes').map((name) => [
      name,
      readFileSync(`deploy/kubernetes/${name}`, 'utf8'),
    ]);
    expect(Object.fromEntries(written)).toEqual(await plainManifests());
  });

  it('do not mention Helm', async () => {
    for (const text of Object.values(await plainManifests()))
      expect(text.replace('deploy/helm/store', '')).not.toMatch(/helm/i);
  });
});
