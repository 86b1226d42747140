import type { Config } from '../engine/config/config.js';
import { shownUrl } from '../engine/config/shown-url.js';
import { OLD, shownVersion } from '../engine/http/versions.js';

/**
 * Prints the addresses of the service for the person at the terminal. It uses the standard error and not the log,
 * because a log should not keep the key.
 *
 * @param addresses of the service, and of the metrics if they have a port of their own
 * @param key the administrator key, if this start made one
 */
export function greet(
  config: Config,
  { address, metricsAddress }: { readonly address: string; readonly metricsAddress: string | null },
  key: string | null,
): void {
  const blocks = [
    ['', config.demo ? 'The demo store is up.' : 'The store service is up.'],
    addressesOf(config, address, metricsAddress),
    ...(key === null ? [] : [config.demo ? demoKey(key) : firstKey(key), examples(config, address, key)]),
    ...(config.demo ? [ownStore()] : key === null && config.access.adminKey === null ? [lostKey()] : []),
    [''],
  ];
  process.stderr.write(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`);
}

function addressesOf(config: Config, address: string, metricsAddress: string | null): string[] {
  return [
    `  Overview  ${address}/`,
    `  REST      ${address}${apiOf(config)}/products    described at ${address}/docs`,
    `  GraphQL   ${address}/graphql            described by ${address}/schema.graphql`,
    `  Health    ${address}/health/ready`,
    ...(metricsAddress === null ? [] : [`  Metrics   ${metricsAddress}`]),
    `  Database  ${shownUrl(config.database.url)}`,
  ];
}

function apiOf(config: Config): string {
  return `/api/${shownVersion(config.http)}`;
}

function firstKey(key: string): string[] {
  return [
    '  The administrator’s key, shown this once (set STORE_ADMIN_KEY to use one of your own):',
    `    ${key}`,
  ];
}

/**
 * The command that makes a new key. It needs no key itself, because a person who can open the database may make keys.
 */
function lostKey(): string[] {
  const command = 'keys create administrator --scopes admin';
  return [
    '  The administrator’s key was shown at the first start. To make another one, run this with the same settings:',
    `    npm run store -- ${command}`,
    `    in a container: node dist/app/cli/main.js ${command}`,
    '  To end a lost key, use "keys revoke".',
  ];
}

function demoKey(key: string): string[] {
  return [
    '  An administrator’s key. It is stored nowhere, and is valid until this process ends, for at most 24 hours.',
    `    ${key}`,
  ];
}

/** Commands that can be pasted into a shell as they are. */
function examples(config: Config, address: string, key: string): string[] {
  const api = apiOf(config);
  const money = config.currency.toMoney(config.currency.toMinor(18, {}));
  const price = JSON.stringify(shownVersion(config.http) === OLD ? 18 : money);
  const write = (path: string, body: string): string[] => [
    `    curl -X POST '${address}${path}' -H 'X-API-Key: ${key}' \\`,
    `      -H 'Content-Type: application/json' -d '${body}'`,
  ];
  return [
    '  Try:',
    `    curl '${address}${api}/products?limit=5'`,
    ...(config.demo
      ? write(`${api}/orders`, '{"user_id":1,"items":[{"product_id":1,"quantity":2}]}')
      : write(`${api}/products`, `{"name":"Chai","price":${price}}`)),
    ...write('/graphql', '{"query":"{ products(limit: 5) { id name priceMoney { amount currency } } }"}'),
  ];
}

function ownStore(): string[] {
  return [
    '  All data of the demo store is made up. To start your own store, which is empty at first:',
    '    STORE_DEMO=false npm start',
    '  or set STORE_DATABASE_URL. For the command line, see npm run store -- --help. To use it on the demo store,',
    '  write STORE_DATABASE_URL=sqlite:./data/demo.sqlite before the command.',
  ];
}
