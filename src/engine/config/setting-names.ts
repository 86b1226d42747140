import { nearestTo } from '../values/nearest.js';

/**
 * The names of all settings begin with this prefix, except `PORT` and `HOST`. The variables that Kubernetes makes for a
 * service named store or store-… also begin with it.
 */
const PREFIX = 'STORE_';

/**
 * The forms of these variables. See
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables. The older links of Docker
 * have the same forms.
 */
const OF_KUBERNETES = [
  /^STORE_(\w+_)?SERVICE_(HOST|PORT(_\w+)?)$/,
  /^STORE_(\w+_)?PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/,
];
const PORT_NAME = /^STORE_(\w+_)?PORT$/;
const PORT_VALUE = /^(tcp|udp|sctp):\/\/\S+:\d+$/;

/** Whether Kubernetes makes this variable for a service that is named store or store-…. */
export function isOfKubernetes(name: string, value = ''): boolean {
  return OF_KUBERNETES.some((form) => form.test(name)) || (PORT_NAME.test(name) && PORT_VALUE.test(value));
}

/**
 * The faults of names that begin like settings and are not settings. A misspelt setting must not be ignored.
 *
 * @param names the names in the environment, without the variables of Kubernetes
 */
export function unknownNames(names: readonly string[], known: ReadonlySet<string>): string[] {
  const unknown = names.filter((name) => name.startsWith(PREFIX) && !known.has(name));
  const faults = unknown.map((name) => {
    const meant = nearestTo(name, known);
    return `${name} is not a setting.${meant === null ? '' : ` Did you mean ${meant}?`}`;
  });
  if (faults.length > 0) faults.push(`The settings are ${[...known].join(', ')}.`);
  return faults;
}
