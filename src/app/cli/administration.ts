import { ApiKeysRepository } from '../../store/accounts/api-keys.repository.js';
import { CredentialChanges } from '../../engine/access/credential-changes.js';
import { Passwords } from '../../store/users/passwords.js';
import { Revocations } from '../../store/tokens/revocations.js';
import { IdentitiesRepository } from '../../store/accounts/identities.repository.js';
import { ANONYMOUS, type Principal } from '../../engine/access/principal.js';
import { RowAccess } from '../../engine/access/row-access.js';
import { LoginThrottle } from '../../store/users/login-throttle.js';
import { SigningKeys } from '../../store/tokens/signing-keys.js';
import { Precondition } from '../../engine/contract/context.js';
import { TableParts } from '../../engine/database/table-parts.js';
import { ownOrigin } from '../../engine/database/transaction.js';
import { ValidationFailed } from '../../engine/errors/errors.js';
import { EventLog } from '../../engine/events/event-log.js';
import type { Page } from '../../generated/contract.js';
import { ClientsRepository } from '../../store/oauth/clients.repository.js';
import { MasterKey } from '../../engine/secrets/master-key.js';
import { UserPasswords } from '../../store/users/user-passwords.js';
import { UsersRepository } from '../../store/users/users.repository.js';
import { refusalOf, type Names } from './body.js';
import { withStore, type Store } from './store.js';

const PAGE = 100;

const COMMAND_LINE = 'command line';

/** A person who can open the database may do everything. */
export const ADMINISTRATOR = {
  reach: RowAccess.EVERYTHING,
  principal: {
    ...ANONYMOUS,
    kind: 'client',
    name: COMMAND_LINE,
    scopes: new Set(['admin']),
  } satisfies Principal,
  ip: '127.0.0.1',
  origin: ownOrigin(COMMAND_LINE),
  precondition: Precondition.NONE,
  confirm: () => Promise.resolve(null),
};

/** The check before a rotation. It never refuses, because the administrator has the rights of every key and client. */
export const mayHaveAll = (): void => {};

/**
 * The same repositories that the doors of the service use. This code creates them itself, because Nest is not started.
 */
export class Administration {
  readonly keys: ApiKeysRepository;
  readonly identities: IdentitiesRepository;
  readonly clients: ClientsRepository;
  readonly users: UsersRepository;
  readonly passwords: UserPasswords;

  private readonly changes: CredentialChanges;

  constructor(private readonly store: Store) {
    const { database } = store;
    const parts = new TableParts(database, new EventLog(database));
    this.changes = new CredentialChanges(database);
    this.identities = new IdentitiesRepository(parts, this.changes);
    this.keys = new ApiKeysRepository(parts, this.changes);
    const revocations = new Revocations(database, this.changes);
    this.clients = new ClientsRepository(parts, revocations);
    this.users = new UsersRepository(parts, revocations);
    this.passwords = new UserPasswords(this.users, new Passwords(), new LoginThrottle());
  }

  /** @throws ConfigError when the master key is missing, or is not the key under which the signing keys are sealed */
  async signingKeys(): Promise<SigningKeys> {
    const { config, database } = this.store;
    const secret = await MasterKey.of(config.secrets, config.database, database.unitOfWork);
    return new SigningKeys(database, secret, this.changes);
  }
}

/**
 * Opens a store that exists already, and runs `work` on it. The work follows the rules of the service.
 *
 * @param names the names that the members of the body have on the command line, for the message if the body is refused
 * @param plain the body. If items of its lists are wrong, the message shows these items
 */
export async function administer<T>(
  names: Names,
  work: (administration: Administration) => Promise<T>,
  plain: object = {},
): Promise<T> {
  try {
    return await withStore((store) => work(new Administration(store)), { mustExist: true });
  } catch (error) {
    throw error instanceof ValidationFailed ? refusalOf(error.faults, names, plain) : error;
  }
}

/** The first items of a list that is read page by page. `total` is null when there are too many items to count. */
export async function firstOf<T>(
  limit: number,
  read: (span: { page: number; limit: number }) => Promise<Page<T>>,
): Promise<{ items: T[]; total: number | null }> {
  const items: T[] = [];
  for (let page = 1; ; page += 1) {
    const { items: more, total } = await read({ page, limit: PAGE });
    items.push(...more);
    if (more.length < PAGE || items.length >= limit) return { items: items.slice(0, limit), total };
  }
}
