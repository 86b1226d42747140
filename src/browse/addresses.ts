import { BODIES, type Related } from '../generated/bodies.js';
import { OPERATIONS, type Operation, type OperationId } from '../generated/operations.js';
import { VIEWS } from '../generated/views.js';

/** Where a page is, and where from there others are. */
export class Place {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly operation: Operation | undefined;
  /** What stands before the template of the operation, such as `/api/v1`. */
  readonly root: string;

  constructor(url: string, id: OperationId | undefined) {
    const at = url.indexOf('?');
    this.path = at === -1 ? url : url.slice(0, at);
    this.query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
    this.operation = id && VIEWS[id] ? OPERATIONS[id] : undefined;
    this.root = rootOf(this.path, this.operation);
  }

  get version(): Operation['version'] {
    return this.operation?.version ?? FIRST.version;
  }

  /** The address of this page with another query: those named are set, or left out when null. */
  with(changes: Readonly<Record<string, string | null>>): string {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return query.size === 0 ? this.path : `${this.path}?${query.toString()}`;
  }

  /** In the version of this page and under the same root, where the operation has an address there. */
  addressOf(id: OperationId, values: Readonly<Record<string, unknown>> = {}): string {
    const { template, paths, version } = SAME.get(`${this.version} ${id}`) ?? OPERATIONS[id];
    const here = this.root + template.replaceAll(/\{(\w+)\}/g, ':$1');
    const pattern = version === this.version && paths.includes(here) ? here : (paths[0] as string);
    const rest = new Map(Object.entries(values));
    const path = pattern.replaceAll(/:(\w+)/g, (_match, name: string) => {
      const value = rest.get(name);
      rest.delete(name);
      return encodeURIComponent(String(value));
    });
    const query = new URLSearchParams(
      [...rest].map(([name, value]): [string, string] => [name, String(value)]),
    );
    return query.size === 0 ? path : `${path}?${query.toString()}`;
  }

  /** @returns null where a member that would lead there is null, or not shown */
  relatedTo(object: Readonly<Record<string, unknown>>, { operation, parameters }: Related): string | null {
    const values = Object.entries(parameters).map(([name, member]) => [name, object[member]] as const);
    if (values.some(([, value]) => value === null || value === undefined)) return null;
    return this.addressOf(operation, Object.fromEntries(values));
  }

  /** Every list of the same version that needs nothing to be named. */
  collections(): readonly { readonly name: string; readonly address: string }[] {
    return LISTS.filter(({ version }) => version === this.version).map(({ id, template }) => ({
      name: template.slice(template.lastIndexOf('/') + 1),
      address: this.addressOf(id),
    }));
  }

  /** From the top to here; without an address where there is nothing to see. */
  crumbs(): readonly { readonly name: string; readonly address: string | null }[] {
    if (!this.operation) return [];
    const names = this.path.slice(this.root.length + 1).split('/');
    const template = this.operation.template.split('/').slice(1);
    return names.map((name, index) => {
      const isThere = TEMPLATES.has(`/${template.slice(0, index + 1).join('/')}`);
      const address = `${this.root}/${names.slice(0, index + 1).join('/')}`;
      return { name: decodeSafely(name), address: isThere ? address : null };
    });
  }
}

const BROWSABLE = Object.values(OPERATIONS).filter(({ id }) => VIEWS[id]);
const TEMPLATES: ReadonlySet<string> = new Set(BROWSABLE.map(({ template }) => template));
/** What shows in another version the same as an operation does. */
const SAME: ReadonlyMap<string, Operation> = new Map(
  Object.values(OPERATIONS).map((row) => [`${row.version} ${row.sameAs}`, row]),
);
/** Those for everybody first. */
const LISTS = BROWSABLE.toSorted(
  (a, b) => Number(a.security.length > 0) - Number(b.security.length > 0),
).filter(({ id, path }) => {
  const body = BODIES[id];
  return path === null && (body?.items ?? body?.members?.['data']?.items) !== undefined;
});
const FIRST = LISTS[0] as Operation;

function rootOf(path: string, operation: Operation | undefined): string {
  if (!operation) return (FIRST.paths[0] as string).slice(0, -FIRST.template.length);
  const depth = operation.template.split('/').length - 1;
  return path.split('/').slice(0, -depth).join('/');
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
