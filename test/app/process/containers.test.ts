import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { validate, ValidationSeverity } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { loadConfig } from '../../../src/engine/config/config.js';
import { COMPOSE } from '../../support/fixtures/compose.js';

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

/** An image whose tag has a version with its minor number, and the distribution. */
const PINNED = /^[a-z]+:\d+\.\d+(\.\d+)?-bookworm(-slim)?$/;

const { ERROR } = ValidationSeverity;
const STRICT = {
  deprecatedMaintainer: ERROR,
  directiveCasing: ERROR,
  emptyContinuationLine: ERROR,
  instructionCasing: ERROR,
  instructionCmdMultiple: ERROR,
  instructionEntrypointMultiple: ERROR,
  instructionHealthcheckMultiple: ERROR,
  instructionJSONInSingleQuotes: ERROR,
  instructionWorkdirRelative: ERROR,
};

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
}

const { services, volumes, networks } = parse(read('compose.yaml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>;
  volumes: object;
  networks: { readonly front: { readonly ipam: { readonly config: readonly { subnet: string }[] } } };
};
const stores = Object.entries(services).filter(([, { image }]) => image === 'store-service');

/** Replaces variables as compose does: `${NAME:?why}` is required, `${NAME:-else}` has a default. */
function filled(text: string): string {
  return text.replaceAll(/\$\{\w+:([?-])([^}]*)\}/g, (_match, kind: string, rest: string) =>
    kind === '?' ? 'x'.repeat(40) : rest,
  );
}

describe('compose.yaml', () => {
  it('is valid under the schema of compose files', () => {
    const document = parseDocument(read('compose.yaml'), { merge: true, strict: true, uniqueKeys: true });
    expect([...document.errors, ...document.warnings]).toEqual([]);
    const isValid = new Ajv2020({ allErrors: true, strictTuples: false }).compile(COMPOSE);
    isValid(document.toJS());
    expect(isValid.errors ?? []).toEqual([]);
  });

  it('waits for a healthy service only if that service has a health check', () => {
    for (const { depends_on = {} } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        // The image of the store has its own health check.
        const isChecked = services[name]?.healthcheck ?? services[name]?.image === 'store-service';
        expect([name, condition === 'service_healthy' && !isChecked]).toEqual([name, false]);
      }
    }
    expect(read('Dockerfile')).toMatch(/^HEALTHCHECK /m);
  });

  it('mounts only existing files and declared volumes', () => {
    const sources = Object.values(services)
      .flatMap(({ volumes: mounts = [] }) => mounts)
      .map((mount) => mount.split(':', 1)[0] ?? '');
    const files = sources.filter((source) => source.startsWith('./'));
    for (const file of files) expect(read(file.slice(2))).not.toBe('');
    expect(sources.filter((source) => !files.includes(source))).toEqual(Object.keys(volumes));
  });

  it('gives the service only settings that the service knows', () => {
    expect(stores).toHaveLength(2);
    const [{ subnet } = { subnet: '' }] = networks.front.ipam.config;
    for (const [, { environment = {} }] of stores) {
      const settings = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [name, filled(value)]),
      );
      expect(loadConfig(settings)).toMatchObject({
        http: { publicUrl: 'http://127.0.0.1:8080', trustProxy: subnet },
      });
    }
  });

  it('pins versions, depends only on its own services, and opens one port, to this machine only', () => {
    const all = Object.values(services);
    const images = all.map(({ image }) => image).filter((image) => image !== 'store-service');
    expect(images.filter((image) => !PINNED.test(image))).toEqual([]);
    const wanted = all.flatMap(({ depends_on = {} }) => Object.keys(depends_on));
    expect(wanted.filter((name) => !(name in services))).toEqual([]);
    expect(Object.keys(volumes)).toEqual(['postgres']);
    expect(all.flatMap(({ ports = [] }) => ports)).toEqual(['127.0.0.1:8080:80']);
  });

  it('lets only nginx and the instances into the network whose X-Forwarded-For is trusted', () => {
    const named = Object.values(services).flatMap((service) => service.networks ?? []);
    expect(named.filter((name) => !(name in networks))).toEqual([]);
    const inFront = Object.entries(services).filter(([, service]) => service.networks?.includes('front'));
    expect(inFront.map(([name]) => name).toSorted()).toEqual(['nginx', 'store-1', 'store-2']);
    // Docker puts a service without a network into a default network.
    expect(Object.values(services).filter((service) => !service.networks?.length)).toEqual([]);
    expect(read('deploy/nginx.conf')).not.toContain('$proxy_add_x_forwarded_for');
  });

  it('makes nginx pass requests to its instances', () => {
    const upstream = [...read('deploy/nginx.conf').matchAll(/^ {2}server ([\w-]+):(\d+) max_fails=0;$/gm)];
    expect(upstream.map(([, name]) => name)).toEqual(stores.map(([name]) => name));
    expect(new Set(upstream.map(([, , port]) => port))).toEqual(new Set(['3000']));
  });
});

describe('Dockerfile', () => {
  it('has no fault that the linter knows', () => {
    const faults = validate(read('Dockerfile'), STRICT);
    expect(faults.map(({ message, range }) => [range.start.line + 1, message])).toEqual([]);
  });

  it('pins its images, and uses the same image for both stages', () => {
    const images = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(images).toHaveLength(2);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(PINNED);
  });

  it('has the same version of Node as the package `node`', () => {
    const { version } = JSON.parse(read('node_modules/node/package.json')) as { version: string };
    expect(read('Dockerfile')).toContain(`FROM node:${version}-`);
  });

  it('gives the service only settings that the service knows', () => {
    const settings = Object.fromEntries(
      [...read('Dockerfile').matchAll(/^ENV (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(loadConfig(settings)).toMatchObject({ http: { host: '0.0.0.0', port: 3000 } });
  });
});
