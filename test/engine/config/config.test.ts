import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/engine/config/config.js';
import { serviceLinksIn } from '../../../src/engine/config/setting-names.js';
import { SETTINGS } from '../../../src/engine/config/settings.js';
import { pathOfPem, type PemFile } from '../../support/fixtures/certificates/certificates.js';

/** Returns a function that loads a configuration with this certificate for the collector and this key, if any. */
const loading = (certificate: PemFile | null, key: PemFile | null) => () =>
  loadConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318',
    ...(certificate && { OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: pathOfPem(certificate) }),
    ...(key && { OTEL_EXPORTER_OTLP_CLIENT_KEY: pathOfPem(key) }),
  });

describe('loadConfig', () => {
  it('needs no settings', () => {
    expect(loadConfig({ PATH: '/bin' })).toMatchObject({
      http: { port: 3000, host: '127.0.0.1', publicUrl: null },
      database: { url: 'sqlite:./data/store.sqlite', directUrl: null, readUrl: null },
      access: { adminKey: null, issuer: 'http://127.0.0.1:3000/oauth', audience: 'http://127.0.0.1:3000' },
      log: { level: 'info', accessShare: 1 },
      events: { retentionDays: 7 },
      redis: { url: null },
      limits: { rate: { anonymous: { units: 120, seconds: 60 }, caller: { units: 1200, seconds: 60 } } },
      graphql: { introspection: true, maxDepth: 8, maxCost: 5000 },
    });
  });

  it('uses the demo store with STORE_DEMO=true, or if this store is the default and no database is named', () => {
    const demo = { demo: true, database: { url: 'sqlite:./data/demo.sqlite' } };
    expect(loadConfig({}, true)).toMatchObject(demo);
    expect(loadConfig({ STORE_DATABASE_URL: '', STORE_DEMO: '' }, true)).toMatchObject(demo);
    expect(loadConfig({ STORE_DEMO: 'true' })).toMatchObject(demo);
    expect(loadConfig({})).toMatchObject({ demo: false });
    expect(loadConfig({ STORE_DEMO: 'false' }, true)).toMatchObject({ demo: false });
    const own = { STORE_DATABASE_URL: 'sqlite:./own.sqlite' };
    expect(loadConfig(own, true)).toMatchObject({ demo: false, database: { url: own.STORE_DATABASE_URL } });
    expect(() => loadConfig({ ...own, STORE_DEMO: 'true' })).toThrow('STORE_DEMO uses a database of its own');
  });

  it('reads an empty value as a missing value', () => {
    expect(loadConfig({ PORT: '', STORE_ADMIN_KEY: '' })).toMatchObject({
      http: { port: 3000 },
      access: { adminKey: null },
    });
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '3000 '],
    ['PORT', '-1'],
    ['HOST', ' '],
    ['HOST', 'a b'],
    ['HOST', 'http://store.example'],
    ['HOST', '[::1]'],
    ['HOST', 'fe80::1%eth0'],
    ['HOST', 'web.1'],
    ['STORE_DATABASE_URL', 'mysql://localhost/store'],
    ['STORE_DATABASE_URL', 'postgres://store@db:99999/store'],
    ['STORE_DATABASE_URL', 'postgres://a b'],
    ['STORE_DATABASE_URL', 'sqlite:folder/'],
    ['STORE_DATABASE_URL', 'sqlite://store.sqlite'],
    ['STORE_DATABASE_DIRECT_URL', 'sqlite:./data/store.sqlite'],
    ['STORE_DATABASE_DIRECT_URL', 'postgres://'],
    ['STORE_DATABASE_READ_URL', 'redis://127.0.0.1:6379'],
    ['STORE_PUBLIC_URL', 'store.example'],
    ['STORE_PUBLIC_URL', 'https://store.example/path'],
    ['STORE_PUBLIC_URL', 'https://anna@store.example'],
    ['STORE_PUBLIC_URL', 'https://:secret@store.example'],
    ['STORE_ADMIN_KEY', 'short'],
    ['STORE_ADMIN_KEY', `has a blank in it ${'x'.repeat(32)}`],
    ['STORE_CURRENCY', 'usd'],
    ['STORE_CURRENCY', 'KWD'],
    ['STORE_LOG_LEVEL', 'loud'],
    ['STORE_ACCESS_LOG', 'sample=2'],
    ['STORE_TRUST_PROXY', 'yes'],
    ['STORE_TRUST_PROXY', '999.1.1.1'],
    ['STORE_TRUST_PROXY', '10.0.0.0/33'],
    ['STORE_TRUST_PROXY', '10.0.0.0/'],
    ['STORE_TRUST_PROXY', '::1/129'],
    ['STORE_TRUST_PROXY', '10.0.0.1,'],
    ['STORE_TRUST_PROXY', 'loopback/8'],
    ['STORE_TRUST_PROXY', 'toString'],
    ['STORE_REDIS_URL', 'http://127.0.0.1:6379'],
    ['STORE_REDIS_URL', 'redis://127.0.0.1:99999'],
    ['STORE_REDIS_URL', 'redis://a b'],
    ['STORE_RATE_LIMIT', '120'],
    ['STORE_INTROSPECTION', '1'],
    ['STORE_EVENTS_RETENTION_DAYS', '0'],
    ['STORE_GRAPHQL_MAX_DEPTH', '0'],
    ['STORE_GRAPHQL_MAX_COST', 'many'],
    ['STORE_V1_DEPRECATED', 'soon'],
    ['STORE_V1_SUNSET', '2028-02-30'],
    ['STORE_V1_SUNSET', '2028-01-01T25:00:00Z'],
    ['STORE_SOMETHING', 'x'],
  ])('refuses %s=%s and names the setting', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(name);
  });

  it.each([
    ['HOST', '::1'],
    ['HOST', 'store.internal'],
    ['HOST', 'my_host'],
    ['STORE_DATABASE_URL', 'sqlite::memory:'],
    ['STORE_DATABASE_URL', 'sqlite:/a b/store.sqlite'],
    ['STORE_DATABASE_URL', 'sqlite:///data/store.sqlite'],
    ['STORE_DATABASE_URL', 'sqlite://./store.sqlite'],
    ['STORE_DATABASE_URL', 'postgresql://store:a@b@db.example,other.example/store'],
    ['STORE_DATABASE_URL', 'postgres://store@%2Frun%2Fpostgresql/store'],
  ])('accepts %s=%s', (name, value) => {
    expect(() => loadConfig({ [name]: value })).not.toThrow();
  });

  it.each(['fe80::1%eth0', 'web.1'])('accepts HOST=%s if STORE_PUBLIC_URL is set', (host) => {
    const settings = { HOST: host, STORE_PUBLIC_URL: 'https://store.example' };
    expect(loadConfig(settings).http.host).toBe(host);
  });

  it('lists all faults together, and shows no secret', () => {
    const settings = {
      PORT: 'x',
      STORE_ADMIN_KEY: 'secret',
      STORE_DATABASE_URL: 'mysql://u:secret@h/d',
      STORE_PUBLIC_URL: 'https://anna:secret@store.example',
    };
    expect(() => loadConfig(settings)).toThrow(/PORT[^]*STORE_DATABASE_URL[^]*STORE_ADMIN_KEY/);
    expect(() => loadConfig(settings)).not.toThrow('secret');
  });

  it('accepts the certificate for a collector only with its own key', () => {
    const certificate = 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE';
    const key = 'OTEL_EXPORTER_OTLP_CLIENT_KEY';
    expect(loading('service.pem', 'service.key')).not.toThrow();
    expect(loading('service.pem', null)).toThrow(`${certificate} needs ${key}.`);
    expect(loading(null, 'service.key')).toThrow(`${key} needs ${certificate}.`);
    expect(loading('service.pem', 'collector.key')).toThrow(
      `${key} must be the key of the first certificate`,
    );
    // Without a collector, these variables may belong to another program.
    expect(() => loadConfig({ [certificate]: '/no/such/file.pem' })).not.toThrow();
  });

  it('suggests a setting for a misspelt name, and lists the settings only once', () => {
    const settings = { STORE_DATABSE_URL: 'x', STORE_RATELIMIT: 'off', STORE_NOTHING_LIKE_IT: 'x' };
    const message = () => loadConfig(settings);
    expect(message).toThrow('STORE_DATABSE_URL is not a setting. Did you mean STORE_DATABASE_URL?');
    expect(message).toThrow('STORE_RATELIMIT is not a setting. Did you mean STORE_RATE_LIMIT?');
    expect(message).toThrow(/STORE_NOTHING_LIKE_IT is not a setting\.$/m);
    expect(message).toThrow('STORE_CURRENCY');
    expect(message).not.toThrow(/STORE_CURRENCY[^]*STORE_CURRENCY/);
  });

  it('ignores the variables that Kubernetes sets for services such as store and store-redis', () => {
    const links = {
      STORE_SERVICE_HOST: '10.0.0.11',
      STORE_SERVICE_PORT: '3000',
      STORE_SERVICE_PORT_HTTP: '3000',
      STORE_PORT: 'tcp://10.0.0.11:3000',
      STORE_PORT_3000_TCP: 'tcp://10.0.0.11:3000',
      STORE_PORT_3000_TCP_PROTO: 'tcp',
      STORE_PORT_3000_TCP_PORT: '3000',
      STORE_PORT_3000_TCP_ADDR: '10.0.0.11',
      STORE_REDIS_SERVICE_HOST: 'fd00::12',
      STORE_REDIS_SERVICE_PORT: '6379',
      STORE_REDIS_PORT: 'tcp://[fd00::12]:6379',
      STORE_REDIS_PORT_6379_TCP: 'tcp://[fd00::12]:6379',
      STORE_REDIS_PORT_6379_TCP_ADDR: 'fd00::12',
      // These are variables of services named store-service and store-database-url.
      STORE_SERVICE_PORT_5432_TCP: 'tcp://10.0.0.13:5432',
      STORE_DATABASE_URL_SERVICE_HOST: '10.0.0.14',
      STORE_DATABASE_URL_PORT: 'tcp://10.0.0.14:5432',
    };
    const config = loadConfig({ ...links, STORE_CURRENCY: 'EUR', HOSTNAME: 'store-1' });
    expect(config.ignored).toEqual(Object.keys(links));
    expect(config.currency.code).toBe('EUR');
    expect(loadConfig({}).ignored).toEqual([]);
  });

  it('ignores a variable that Kubernetes sets for a service, even if it has the name of a setting', () => {
    const links = { STORE_METRICS_PORT: 'tcp://10.0.0.1:9090', STORE_METRICS_SERVICE_HOST: '10.0.0.1' };
    expect(loadConfig(links).ignored).toEqual(Object.keys(links));
  });

  it('does not ignore a setting if its name looks like a variable of a service, but its value does not', () => {
    const names = Object.values(SETTINGS).map(({ name }) => name);
    expect(serviceLinksIn(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('ignores the variables that Docker sets for links named store and store-db', () => {
    const links = {
      STORE_NAME: '/web/store',
      STORE_PORT_3000_TCP_START: 'tcp://172.17.0.2:3000',
      STORE_PORT_3000_TCP_PORT_END: '3005',
      STORE_ENV_STORE_SECRET: 'secret',
      STORE_DB_NAME: '/web/store-db',
      STORE_DB_ENV_POSTGRES_PASSWORD: 'secret',
    };
    expect(loadConfig(links).ignored).toEqual(Object.keys(links));
    for (const name of ['STORE_ENV_STORE_SECRET', 'STORE_DB_ENV_POSTGRES_PASSWORD']) {
      expect(() => loadConfig({ [name]: 'x', STORE_NAME: 'my store' })).toThrow(`${name} is not a setting`);
    }
  });

  it.each([
    ['STORE_PORT', '3000', 'PORT'],
    ['STORE_PORT', 'http://10.0.0.11:3000', 'PORT'],
    ['STORE_PROT', 'tcp://10.0.0.11:3000', 'PORT'],
    ['STORE_HOST', '0.0.0.0', 'HOST'],
    ['STORE_REDIS_PORT', '6379', 'STORE_REDIS_URL'],
    ['STORE_DATABASE_UR', 'tcp://10.0.0.11:5432', 'STORE_DATABASE_URL'],
  ])('refuses %s=%s, and suggests %s', (name, value, meant) => {
    expect(() => loadConfig({ [name]: value })).toThrow(`${name} is not a setting. Did you mean ${meant}?`);
  });

  it.each(['10.0.0.0/8', '127.0.0.1, ::1', 'fd00::/8,192.168.0.1', 'loopback', 'uniquelocal, 203.0.113.7'])(
    'accepts the proxies %s',
    (text) => {
      expect(loadConfig({ STORE_TRUST_PROXY: text }).http.trustProxy).toBe(text);
    },
  );

  it.each([
    ['STORE_DATABASE_DIRECT_URL', 'directUrl'],
    ['STORE_DATABASE_READ_URL', 'readUrl'],
  ])('refuses %s without PostgreSQL', (name, member) => {
    const other = { [name]: 'postgres://store@127.0.0.1/store' };
    expect(() => loadConfig(other)).toThrow(`${name} needs PostgreSQL`);
    expect(() => loadConfig(other, true)).toThrow(`${name} needs PostgreSQL`);
    const url = 'postgres://store@127.0.0.1:6432/store';
    expect(loadConfig({ ...other, STORE_DATABASE_URL: url })).toMatchObject({
      database: { url, [member]: other[name] },
    });
  });

  it('refuses a port of the metrics that equals the port of the service, or that is not a port', () => {
    expect(loadConfig({ STORE_METRICS_PORT: '9464' }).http.metricsPort).toBe(9464);
    expect(loadConfig({}).http.metricsPort).toBeNull();
    expect(loadConfig({ PORT: '0', STORE_METRICS_PORT: '0' }).http.metricsPort).toBe(0);
    expect(() => loadConfig({ STORE_METRICS_PORT: '3000' })).toThrow(
      'STORE_METRICS_PORT must not be the same as PORT.',
    );
    for (const port of ['x', '-1', '65536', '90.5']) {
      expect(() => loadConfig({ STORE_METRICS_PORT: port })).toThrow(/STORE_METRICS_PORT must be an integer/);
    }
  });

  it('ignores the port of the metrics that Kubernetes sets for a service named store-metrics', () => {
    const { http, ignored } = loadConfig({ STORE_METRICS_PORT: 'tcp://10.0.0.11:9464' });
    expect(http.metricsPort).toBeNull();
    expect(ignored).toEqual(['STORE_METRICS_PORT']);
  });

  it('reads the end of version 1 as a date or a date with a time, and refuses an end before the deprecation', () => {
    const { v1Deprecated, v1Sunset } = loadConfig({
      STORE_V1_DEPRECATED: '2027-01-01',
      STORE_V1_SUNSET: '2028-01-01T01:00:00+01:00',
    }).http;
    expect([v1Deprecated, v1Sunset]).toEqual([new Date('2027-01-01'), new Date('2028-01-01')]);
    const turned = { STORE_V1_DEPRECATED: '2027-01-02', STORE_V1_SUNSET: '2027-01-01' };
    expect(() => loadConfig(turned)).toThrow('STORE_V1_SUNSET must not be earlier');
  });

  it.each([
    ['all', 1],
    ['errors', null],
    ['sample=0.01', 0.01],
  ])('reads the share of logged requests from %s', (text, share) => {
    expect(loadConfig({ STORE_ACCESS_LOG: text }).log.accessShare).toBe(share);
  });
});
