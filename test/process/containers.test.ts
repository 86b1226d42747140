import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.js';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
}

const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>;
  volumes: object;
};
const stores = Object.entries(services).filter(([, { image }]) => image === 'store-service');

/** As compose puts in what the shell has; `${NAME:?why}` must be there, `${NAME:-else}` need not. */
function filled(text: string): string {
  return text.replaceAll(/\$\{\w+:([?-])([^}]*)\}/g, (_match, kind: string, rest: string) =>
    kind === '?' ? 'x'.repeat(40) : rest,
  );
}

describe('compose.yaml', () => {
  it('gives the service settings that it takes', () => {
    expect(stores).toHaveLength(2);
    for (const [, { environment = {} }] of stores) {
      const settings = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [name, filled(value)]),
      );
      expect(loadConfig(settings)).toMatchObject({ publicUrl: 'http://127.0.0.1:8080', trustProxy: true });
    }
  });

  it('pins versions, names what there is, and opens one port, to this machine', () => {
    const all = Object.values(services);
    const images = all.map(({ image }) => image).filter((image) => image !== 'store-service');
    expect(images.filter((image) => !/:\d+\.\d+/.test(image))).toEqual([]);
    const wanted = all.flatMap(({ depends_on = {} }) => Object.keys(depends_on));
    expect(wanted.filter((name) => !(name in services))).toEqual([]);
    expect(Object.keys(volumes)).toEqual(['postgres']);
    expect(all.flatMap(({ ports = [] }) => ports)).toEqual(['127.0.0.1:8080:80']);
  });

  it('has nginx lead to its instances', () => {
    const upstream = [...read('deploy/nginx.conf').matchAll(/^ {2}server ([\w-]+):(\d+);$/gm)];
    expect(upstream.map(([, name]) => name)).toEqual(stores.map(([name]) => name));
    expect(new Set(upstream.map(([, , port]) => port))).toEqual(new Set(['3000']));
  });
});

describe('Dockerfile', () => {
  it('gives the service settings that it takes', () => {
    const settings = Object.fromEntries(
      [...read('Dockerfile').matchAll(/^ENV (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(loadConfig(settings)).toMatchObject({ host: '0.0.0.0', port: 3000 });
  });
});
