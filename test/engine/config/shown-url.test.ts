import { describe, expect, it } from 'vitest';
import { shownUrl } from '../../../src/engine/config/shown-url.js';

describe('the shown address of a database', () => {
  it.each([
    ['sqlite:./data/a@b.sqlite'],
    ['postgres://host:5432/db'],
    ['postgres://user@host:5432/db?sslmode=require'],
    ['postgres://host:5432/db?application_name=a@b'],
    ['postgres://user@host:5432/db?sslmode=require&application_name=a@b'],
    ['postgres://[::1]:5432/db'],
  ])('%s is the address itself', (url) => {
    expect(shownUrl(url)).toBe(url);
  });

  it('keeps the server if the query contains an @', () => {
    const url = 'postgres://user:hush@host:5432/db?application_name=a@b';
    expect(shownUrl(url)).toBe('postgres://user@host:5432/db?application_name=a@b');
  });

  it.each([
    'hush',
    'hu@sh',
    'hu/sh',
    'hu?sh',
    'hu#sh',
    '12/hu@sh',
    '12?hush=a@b',
    'p@hu/sh',
    'a?b=hu&c=d/e',
    'hu\nsh',
    '',
  ])('has no password, here %j', (password) => {
    for (const query of ['', '?sslmode=require', '?application_name=a@b']) {
      for (const user of ['user', '', 'user@tenant', 'us/er']) {
        expect(shownUrl(`postgres://${user}:${password}@host/db${query}`)).toBe(
          `postgres://${user}@host/db${query}`,
        );
      }
    }
  });

  it('has no secret of the query', () => {
    expect(shownUrl('postgres://user:hush@host/db?sslmode=require&sslpassword=hu@sh&x=1')).toBe(
      'postgres://user@host/db?sslmode=require&sslpassword=(hidden)&x=1',
    );
    expect(shownUrl('redis://:hush@host?password=hu@sh')).toBe('redis://@host?password=(hidden)');
  });
});
