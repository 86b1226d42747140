import { nearestTo } from '../values/nearest.js';

/**
 * The names of all settings begin with this prefix, except `PORT`, `HOST` and the variables of OpenTelemetry
 * (`OTEL_…`). The names of service links begin with it too. Service links are variables that Kubernetes makes for a
 * service named store or store-…, and that Docker makes for a link of this name.
 */
const PREFIX = 'STORE_';

/**
 * Only service links have these names. See
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables and
 * https://docs.docker.com/engine/network/links/#environment-variables.
 */
const OF_LINKS = [
  /^STORE_(\w+_)?SERVICE_(HOST|PORT(_\w+)?)$/,
  /^STORE_(\w+_)?PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|ADDR|(PORT_)?(START|END)|PORT))?$/,
];

// A setting can have a name of the forms `PORT_NAME` and `LINK_NAME` too. Only a service link has such a name together
// with a value of the form `PORT_VALUE` or `LINK_VALUE`.
const PORT_NAME = /^STORE_(\w+_)?PORT$/;
const PORT_VALUE = /^(tcp|udp|sctp):\/\/\S+:\d+$/;
const LINK_NAME = /^(STORE_(?:\w+_)?)NAME$/;
const LINK_VALUE = /^\/[^/\s]+\/[^/\s]+$/;

/**
 * The names of the service links in the environment. A service link can have the name of a setting: for a service named
 * store-metrics, Kubernetes makes `STORE_METRICS_PORT=tcp://…`. Then the value tells that it is a service link.
 */
export function serviceLinksIn(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.keys(environment).filter((name) => name.startsWith(PREFIX));
  // Docker copies all variables of the linked container. For a link with the prefix `STORE_`, the copy of a variable
  // `X` has the name `STORE_ENV_X`.
  const copies = names.flatMap((name) => {
    const [, link] = LINK_NAME.exec(name) ?? [];
    return link !== undefined && LINK_VALUE.test(environment[name] ?? '')
      ? [`${link}NAME`, `${link}ENV_`]
      : [];
  });
  return names.filter(
    (name) =>
      OF_LINKS.some((form) => form.test(name)) ||
      (PORT_NAME.test(name) && PORT_VALUE.test(environment[name] ?? '')) ||
      copies.some((copy) => (copy.endsWith('_') ? name.startsWith(copy) : name === copy)),
  );
}

/**
 * The faults of names that begin like settings, but are not settings. The service reports a misspelt setting instead of
 * ignoring it.
 *
 * @param names the names in the environment, without the service links
 */
export function unknownNames(names: readonly string[], known: ReadonlySet<string>): string[] {
  const unknown = names.filter((name) => name.startsWith(PREFIX) && !known.has(name));
  const withoutPrefix = [...known].filter((name) => !name.startsWith(PREFIX));
  const faults = unknown.map((name) => {
    const meant = nearestTo(name.slice(PREFIX.length), withoutPrefix) ?? nearestTo(name, known);
    return `${name} is not a setting.${meant === null ? '' : ` Did you mean ${meant}?`}`;
  });
  if (faults.length > 0) faults.push(`The settings are ${[...known].join(', ')}.`);
  return faults;
}
