import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/clients/app.js';
import { clientFolder, compile, execute } from '../support/fixtures/client-folder.js';
import { judge } from '../support/fixtures/contract.js';
import { aRequest, operationsIn, type Request, type Served } from './requests.js';
import { programOf, TOOLS, type Tool } from './tools.js';

/** The served documents, by their addresses without `.json`. */
const DOCUMENTS = ['openapi/v1', 'openapi/v2', 'openapi'];

/** For a document with this number of operations, a client must have less than 250 KiB of types. */
const OPERATIONS = 53;

const HEADERS = ['if-match', 'if-none-match', 'idempotency-key', 'prefer'];

/** A request as it arrived at the service. */
interface Arrived {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

/** The result of a call, as the client reports it. */
interface Told {
  readonly operationId: string;
  readonly status: number;
  readonly headers: [string, string][];
  readonly text: string;
}

/**
 * Well-known tools generate clients from the served documents. The clients are compiled strictly. For each client, one
 * program calls every operation.
 */
describe('generated clients', () => {
  const arrived = new Map<string, Arrived>();
  const requests = new Map<string, readonly Request[]>();
  const folders = new Map<string, string>();
  let store: TestApp;

  beforeAll(async () => {
    store = await startApp('sqlite', {}, (app) => {
      const server = app.getHttpAdapter().getInstance();
      server.addHook('onResponse', (request, reply, done) => {
        const { method, originalUrl, headers } = request;
        const url = new URL(originalUrl, 'http://store');
        arrived.set(String(reply.getHeader('x-request-id')), { method, url, headers });
        done();
      });
    });
    await Promise.all(Object.entries(TOOLS).map(([name, tool]) => makeClients(name, tool)));
  });
  afterAll(async () => {
    await store.close();
    for (const folder of folders.values()) await rm(folder, { recursive: true, force: true });
  });

  async function makeClients(name: string, tool: Tool): Promise<void> {
    const top = await clientFolder();
    folders.set(name, top);
    for (const document of DOCUMENTS) {
      const folder = join(top, document);
      await mkdir(folder, { recursive: true });
      await tool.generate(folder, store.url, document);
      const { paths, components } = (await store.call('GET', `/${document}.json`)).body as Served;
      const all: Request[] = [];
      for (const operation of operationsIn(paths)) {
        const request = await aRequest(store, operation);
        const { operationId } = paths[request.address]?.[request.method.toLowerCase()] ?? request;
        all.push({ ...request, operationId });
      }
      requests.set(folder, all);
      await writeFile(join(folder, 'calls.ts'), programOf(tool, all, components.schemas));
    }
    await compile(top);
  }

  describe.each(Object.keys(TOOLS))('of %s', (name) => {
    it.each(DOCUMENTS)('call every operation of /%s.json', async (document) => {
      const folder = folders.get(name) ?? '';
      const wanted = (requests.get(join(folder, document)) ?? []).map(toArrive);
      expect(wanted.length).toBeGreaterThan(45);
      const printed = await execute(folder, join(document, 'calls.js'), { STORE: store.url });
      const told = JSON.parse(printed) as readonly Told[];
      expect(told.map(asItArrived)).toEqual(wanted);
    });
  });

  describe.each(Object.keys(TOOLS))('of %s, for one version', (name) => {
    it.each(['openapi/v1', 'openapi/v2'])(
      'have natural names from /%s.json: no name contains a version, or ends in a single digit',
      async (document) => {
        const names = namesIn(await typesIn(join(folders.get(name) ?? '', document), name));
        expect(names).toEqual(expect.arrayContaining(['Product', 'ProductReplace', 'UserCreate']));
        // The operations that serve the documents are left out, because their names contain a version.
        const chosen = names.filter((each) => !/^(get)?GetOpenApiV\dJson/i.test(each));
        expect(
          chosen.filter((each) => /Writable|V\d|[^\d]\d$/.test(each) && !/Response\d{3}$/.test(each)),
        ).toEqual([]);
      },
    );

    it.each(['openapi/v1', 'openapi/v2'])(
      'have less than 250 KiB of types per 53 operations of /%s.json',
      async (document) => {
        const folder = join(folders.get(name) ?? '', document);
        // Each additional operation may add its share.
        const share = Math.max(1, (requests.get(folder)?.length ?? 0) / OPERATIONS);
        expect(Buffer.byteLength(await typesIn(folder, name))).toBeLessThan(share * 250 * 1_024);
      },
    );
  });

  /**
   * The request that the service received for a call. `judge` compares the answer that the client reports with the
   * contract.
   */
  function asItArrived({ operationId, status, headers: pairs, text }: Told) {
    const answer = { status, headers: new Headers(pairs), text };
    const request = arrived.get(answer.headers.get('x-request-id') ?? '');
    if (!request) throw new Error(`${operationId} did not arrive: ${status} ${text}`);
    const { method, url, headers } = request;
    judge(method, url.pathname, answer);
    return {
      operationId,
      method,
      path: url.pathname,
      query: [...url.searchParams].map(([name, value]) => `${name}=${value}`).toSorted(),
      headers: HEADERS.flatMap((name) => (name in headers ? [`${name}: ${String(headers[name])}`] : [])),
      status,
      refusal: status < 300 ? '' : text,
    };
  }
});

/** The module with the types of the client that a tool made in a folder. */
function typesIn(folder: string, tool: string): Promise<string> {
  return readFile(join(folder, tool === 'hey-api' ? 'client/types.gen.ts' : 'client.ts'), 'utf8');
}

/** The names that a module exports, and the members of `schemas`, where openapi-typescript puts the schemas. */
function namesIn(module: string): string[] {
  const exported = [...module.matchAll(/^export (?:type|interface|const|class|enum|function) (\w+)/gm)];
  const [, schemas = ''] = /^ {4}schemas: \{\n([^]*?)^ {4}\};/m.exec(module) ?? [];
  return [...exported, ...schemas.matchAll(/^ {8}(\w+):/gm)].map(([, name = '']) => name);
}

/** The request that the service should receive, and the expected answer. */
function toArrive({ operationId, method, address, path = {}, query = {}, header = {}, status }: Request) {
  const lines = new Map(Object.entries(header).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return {
    operationId,
    method,
    path: address.replace(/\{(\w+)\}/g, (_, name: string) => String(path[name])),
    // Each item of a list is sent as a parameter of its own.
    query: Object.entries(query)
      .flatMap(([name, value]) => [value].flat().map((item) => `${name}=${String(item)}`))
      .toSorted(),
    headers: HEADERS.flatMap((name) => (lines.has(name) ? [`${name}: ${lines.get(name)}`] : [])),
    status,
    refusal: '',
  };
}
