import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MOST_IN_FLIGHT } from '../src/engine/rate-limits/in-flight.js';
import { DEFAULT_QUOTAS } from '../src/engine/config/quotas.js';
import { DEFAULT_SUBSCRIPTION_LIMITS } from '../src/engine/config/subscription-limits.js';

const top = new URL('../', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, top), 'utf8');
const text = read('docs/security.md');
const figures = [...text.matchAll(/^\| ([^|]*?) +\| ([\d,]+) +\| `([\w/.-]+)` `(\w+)` /gm)].map(
  ([, what = '', figure = '', file = '', name = '']) => ({ what, figure, file, name }),
);

describe('docs/security.md', () => {
  it('has a figure for each row of its table of bounds', () => {
    const rows = /^\| What +\| Bound +\| In the code[^]*?\n\n/m.exec(text)?.[0].trim().split('\n') ?? [];
    expect(figures).toHaveLength(rows.length - 2);
    expect(figures.length).toBeGreaterThan(15);
  });

  it.each(figures)('gives $figure for $what, like the code', ({ figure, file, name }) => {
    const [, digits = ''] = new RegExp(`^(?:export )?const ${name} = ([\\d_]+);`, 'm').exec(read(file)) ?? [];
    expect(digits.replaceAll('_', '')).toBe(figure.replaceAll(',', ''));
  });

  it('gives the same limits of addresses and callers as the code', () => {
    expect(text).toContain(`\`${DEFAULT_QUOTAS}\``);
    expect(text).toContain(`\`${DEFAULT_SUBSCRIPTION_LIMITS}\``);
    const { anonymous, caller } = MOST_IN_FLIGHT;
    expect(text).toContain(`${anonymous} for an address, ${caller} for a caller`);
  });

  it('names only existing tests and proofs', () => {
    const tests = [...text.matchAll(/`(test\/[\w/.-]+\.ts)`/g)].map(([, file = '']) => file);
    expect(tests.filter((file) => !existsSync(new URL(file, top)))).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const proofs = [...text.matchAll(/`npm run (prove:\w+)`/g)].map(([, name = '']) => name);
    expect(proofs.filter((name) => !(name in scripts))).toEqual([]);
  });
});
