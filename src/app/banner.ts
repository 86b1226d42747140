import type { Config } from '../engine/config/config.js';
import { shownUrl } from '../engine/config/shown-url.js';
import { OLD, shownVersion } from '../engine/http/versions.js';

/**
 * Prints the addresses of the service for the person at the terminal. It uses the standard error and not the log,
 * because of the key: the key is shown only once, and should not be kept in logs.
 *
 * @param key the administrator key, if this start made one
 */
export function greet(config: Config, address: string, key: string | null): void {
  const blocks = [
    ['', config.demo ? 'The demo store is up.' : 'The store service is up.'],
    places(config, address),
    ...(key === null ? [] : [config.demo ? demoKey(key) : firstKey(key), examples(config, address, key)]),
    ...(config.demo ? [ownStore()] : key === null && config.adminKey === null ? [lostKey()] : []),
    [''],
  ];
  process.stderr.write(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`);
}

function places(config: Config, address: string): string[] {
  return [
    `  Overview  ${address}/`,
    `  REST      ${address}${apiOf(config)}/products    described at ${address}/docs`,
    `  GraphQL   ${address}/graphql            described by ${address}/schema.graphql`,
    `  Health    ${address}/health/ready`,
    `  Database  ${shownUrl(config.databaseUrl)}`,
  ];
}

function apiOf(config: Config): string {
  return `/api/${shownVersion(config)}`;
}

function firstKey(key: string): string[] {
  return [
    '  The administrator’s key, shown this once (set STORE_ADMIN_KEY to use one of your own):',
    `    ${key}`,
  ];
}

/** The command line needs no key: a person who can open the database may make one. */
function lostKey(): string[] {
  const command = 'keys create administrator --scopes admin';
  return [
    '  The administrator’s key was shown at the first start. For another one, with the settings of this service:',
    `    npm run store -- ${command}`,
    `    in a container: node dist/app/cli/main.js ${command}`,
    '  A lost key is ended by "keys revoke".',
  ];
}

function demoKey(key: string): string[] {
  return [
    '  An administrator’s key, kept nowhere: it ends with this process, and after 24 hours at the latest.',
    `    ${key}`,
  ];
}

/** Commands that can be pasted into a shell as they are. */
function examples(config: Config, address: string, key: string): string[] {
  const api = apiOf(config);
  const money = config.currency.toMoney(config.currency.toMinor(18, {}));
  const price = JSON.stringify(shownVersion(config) === OLD ? 18 : money);
  const write = (path: string, body: string): string[] => [
    `    curl -X POST ${address}${path} -H 'X-API-Key: ${key}' \\`,
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
    '  Everything in it is made up. For a store of your own, which begins empty:',
    '    STORE_DEMO=false npm start',
    '  or set STORE_DATABASE_URL. What the command line can do: npm run store -- --help (for this store with',
    '  STORE_DATABASE_URL=sqlite:./data/demo.sqlite before it).',
  ];
}
