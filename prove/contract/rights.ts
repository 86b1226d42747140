import { getNamedType, isObjectType, type GraphQLOutputType } from 'graphql';
import { requireThat } from '../options.ts';
import { directive, type RootField } from './sdl.ts';

/** The rights of a caller. */
export interface Rights {
  readonly scopes: readonly string[];
  /** The user that the credential belongs to. */
  readonly userId: string | null;
  readonly isAdministrator: boolean;
}

export const NOBODY: Rights = { scopes: [], userId: null, isAdministrator: false };
export const ADMINISTRATOR: Rights = { scopes: [], userId: null, isAdministrator: true };

/** A refusal of a field, with the path of the field. */
export interface Refusal {
  readonly status: number;
  readonly path: readonly (string | number)[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The id in a member of a row; null if there is no id. */
function idIn(row: Fields, name: string | undefined): string | null {
  const value = name === undefined ? null : row[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

const holds = ({ scopes, isAdministrator }: Rights, wanted: readonly string[]): boolean =>
  isAdministrator || wanted.some((scope) => scopes.includes(scope));

/**
 * Judges whether a result agrees with the rights of the caller. A user without the scopes of the root field must get
 * only its own rows. A field below the root that has its own `@auth` must be shown, refused or null, as this directive
 * says.
 *
 * @throws Broken
 * @returns the refusals that are right
 */
export function judgeRights(
  field: RootField,
  value: unknown,
  refusals: readonly Refusal[],
  rights: Rights,
): readonly Refusal[] {
  const [, own] = /^row\.(\w+)$/.exec(field.owner ?? '') ?? [];
  if (own !== undefined && !holds(rights, field.scopes ?? [])) {
    for (const row of rowsIn(value)) {
      requireThat(
        idIn(row, own) === rights.userId,
        () => `${field.id} shows the user ${rights.userId} a row of the user ${idIn(row, own)}.`,
      );
    }
  }
  return below(field.type, value, [field.name], refusals, rights);
}

/** One row, or the rows of a list or a connection. An edge that was selected without its node contains no row. */
function rowsIn(value: unknown): readonly Fields[] {
  if (Array.isArray(value)) return value.flatMap(rowsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { edges, nodes } = value as { edges?: readonly { node?: Fields }[]; nodes?: readonly Fields[] };
  if (edges === undefined) return [value as Fields];
  return [...edges.flatMap(({ node }) => (node === undefined ? [] : [node])), ...(nodes ?? [])];
}

function below(
  type: GraphQLOutputType,
  value: unknown,
  path: readonly (string | number)[],
  refusals: readonly Refusal[],
  rights: Rights,
): readonly Refusal[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => below(type, item, [...path, index], refusals, rights));
  const named = getNamedType(type);
  if (typeof value !== 'object' || value === null || !isObjectType(named)) return [];
  const fields = named.getFields();
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = fields[name];
    const at = [...path, name];
    if (field === undefined) return [];
    const auth = directive(field, 'auth');
    if (auth === null) return below(field.type, inner, at, refusals, rights);
    const place = at.join('/');
    const own = /^parent\.(\w+)$/.exec(String(auth['owner']))?.[1];
    const owner = idIn(value as Fields, own);
    const mayAll = holds(rights, auth['scopes'] as readonly string[]);
    const isOwn = owner !== null && owner === rights.userId;
    const found = refusals.filter((refusal) => refusal.path.join('/') === place);
    if (mayAll || isOwn) {
      requireThat(found.length === 0, () => `${place} is refused, although the caller may see this field.`);
      requireThat(
        inner !== null || owner === null,
        () => `${place} is null, although the caller may see this field.`,
      );
      return below(field.type, inner, at, refusals, rights);
    }
    requireThat(inner === null, () => `${place} is shown, although the caller may not see this field.`);
    // For a user, a row of another user is answered like a row that does not exist.
    const due = rights.userId === null ? [403] : [];
    requireThat(
      found.map(({ status }) => status).join() === due.join(),
      () => `${place} must ${due.length === 0 ? 'be null without an error' : 'be refused with 403'}.`,
    );
    return found;
  });
}
