import { describe, expect, it } from 'vitest';
import { runCommand } from '../../support/clients/cli.js';

describe('store config', () => {
  it('prints settings with their values and sources, and hides secrets', async () => {
    const settings = {
      STORE_ADMIN_KEY: 'a-very-secret-administrator-key-0123456789',
      STORE_REDIS_URL: 'redis://:pass@word@redis.example:6379/1',
      STORE_DATABASE_URL: 'postgres://store:pass@word@127.0.0.1:1/store',
    };
    const { code, stdout } = await runCommand(['config'], { settings });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PORT +3000 +default$/m);
    expect(stdout).toMatch(/^STORE_DATABASE_URL +postgres:\/\/store@127\.0\.0\.1:1\/store +environment$/m);
    expect(stdout).toMatch(/^STORE_ADMIN_KEY +\(hidden\) +environment$/m);
    expect(stdout).toMatch(/^STORE_PUBLIC_URL +– +default$/m);
    expect(stdout).not.toMatch(/very-secret|pass|word@/);
  });

  it('hides secrets in the query of an address, in any spelling of their names', async () => {
    const settings = {
      STORE_DATABASE_URL: 'postgres://store@db.example/store?sslmode=require&p%61ssword=hush%40hush&x=1',
      STORE_REDIS_URL: 'redis://:pa@ss@redis.example?password=hush@hush',
    };
    const { stdout } = await runCommand(['config'], { settings });
    expect(stdout).toContain('postgres://store@db.example/store?sslmode=require&p%61ssword=(hidden)&x=1');
    expect(stdout).toContain('redis://@redis.example?password=(hidden)');
    expect(stdout).not.toMatch(/hush|ss@/);
  });

  it('prints settings as JSON with --json', async () => {
    const { stdout } = await runCommand(['config', '--json'], {
      settings: { STORE_DEMO: 'true', PORT: '8080' },
    });
    const lines = JSON.parse(stdout) as unknown[];
    expect(lines).toContainEqual({ name: 'PORT', value: '8080', source: 'environment' });
    expect(lines).toContainEqual({
      name: 'STORE_DATABASE_URL',
      value: 'sqlite:./data/demo.sqlite',
      source: 'STORE_DEMO',
    });
    expect(lines).toContainEqual({ name: 'STORE_PUBLIC_URL', value: null, source: 'default' });
  });

  it('names service links of Kubernetes on the standard error, and uses the defaults instead', async () => {
    const settings = { STORE_PORT: 'tcp://10.0.0.11:3000', STORE_METRICS_PORT: 'tcp://10.0.0.12:9090' };
    const { code, stdout, stderr } = await runCommand(['config'], { settings });
    expect(code).toBe(0);
    expect(stderr).toBe('Ignored, because they are service links: STORE_PORT, STORE_METRICS_PORT.\n');
    expect(stdout).not.toMatch(/tcp:| environment$/m);
  });

  it('shows the value of a variable that needs another variable only if both are set', async () => {
    const OTEL_SERVICE_NAME = 'shop';
    const alone = await runCommand(['config'], { settings: { OTEL_SERVICE_NAME } });
    expect(alone.stdout).toMatch(/^OTEL_SERVICE_NAME +(?!shop).* default$/m);
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    const both = await runCommand(['config'], { settings: { OTEL_SERVICE_NAME, ...endpoint } });
    expect(both.stdout).toMatch(/^OTEL_SERVICE_NAME +shop +environment$/m);
  });

  it('lists the faults of several settings together, and ends with 1', async () => {
    const { code, stdout, stderr } = await runCommand(['config'], {
      settings: { PORT: 'x', STORE_DEMO: 'true', STORE_DATABASE_URL: 'sqlite:./x.sqlite' },
    });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/PORT must be an integer[^]*STORE_DEMO uses a database of its own/);
    expect(stderr).not.toContain('    at ');
  });
});
