import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PROBLEMS } from '../../src/problem-kinds.js';
import { startApp, type TestApp } from '../support/app.js';

const file = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

describe('documents', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  it('getOpenApiYaml and getGraphqlSchema serve the contracts byte for byte', async () => {
    expect((await store.call('GET', '/openapi.yaml')).text).toBe(await file('openapi.yaml'));
    expect((await store.call('GET', '/schema.graphql')).text).toBe(await file('schema.graphql'));
  });

  it('getOpenApiJson serves the same, converted', async () => {
    expect((await store.call('GET', '/openapi.json')).body).toEqual(parse(await file('openapi.yaml')));
  });

  it.each(Object.entries(PROBLEMS))('getProblemType describes %s', async (code, { status, title }) => {
    const { body } = await store.call('GET', `/problems/${code.toLowerCase().replaceAll('_', '-')}`);
    expect(body).toMatchObject({ code, status, title });
    expect(body.description.length).toBeGreaterThan(20);
  });
});
