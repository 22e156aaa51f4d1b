import type { SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { startKeywright } from '@keywright/server/app';
import { mintAccessToken } from '@keywright/server/modules/tokens/access-tokens/minted-tokens';
import { SessionService } from '@keywright/server/modules/tokens/sessions/session-service';
import { ApplicationKeys } from '@keywright/server/modules/tokens/signing-keys/application-keys';
import { KeyRing } from '@keywright/server/modules/tokens/signing-keys/key-ring';
import { ApplicationJwts } from '@keywright/server/modules/tokens/signing-keys/application-jwts';
import { TokenBits } from '@keywright/server/modules/tokens/status-lists/token-bits';
import { systemClock } from '@keywright/server/platform/clock';
import { type Config, readConfig } from '@keywright/server/platform/config';
import { newUserId } from '@keywright/server/platform/crypto/ids';
import type { SigningKey } from '@keywright/server/platform/crypto/jws';
import type { Database } from '@keywright/server/platform/db/database';
import { openEmbedded } from '@keywright/server/platform/db/embedded';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { type Changes, watchChanges } from '@keywright/server/tenancy/changes';
import { DataKeys, MasterKeys } from '@keywright/server/tenancy/data-keys';
import { TenantDirectory } from '@keywright/server/tenancy/directory';
import { Gate, type SystemTx } from '@keywright/server/tenancy/gate';
import type { Tenant } from '@keywright/server/tenancy/tenant';
import { pooled } from '@keywright/tests/harness/parallel';
import { passwordPermit } from '@keywright/tests/harness/permit';
import { hash } from '@node-rs/argon2';
import { acrossTenants } from './across-tenants.ts';
import { createTenants } from './tenants.ts';

const SINGLE_TENANT: Shape = { tenants: 1, people: 2000 };
const USERS_IN_A_STATEMENT = 1000;
/** They share statements. */
const SESSIONS_AT_ONCE = 128;
export const PASSWORD = 'correct horse battery staple';
const ROLE = 'admin';
const SCOPES = ['*:*'];
const WORKSPACE = 'ws_default' as WorkspaceId;

export interface Shape {
  readonly tenants: number;
  /** In all tenants together. */
  readonly people: number;
}

/** A user with a session. */
export interface Person {
  readonly tenantId: TenantId;
  readonly identifier: string;
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The tenants under load. */
export interface Seed {
  /** The first one. */
  readonly tenantId: TenantId;
  /** Of every person. */
  readonly password: string;
  /** Users of the tenants round-robin. */
  readonly people: readonly Person[];
  /** Creates access tokens for the sessions of the first tenant's users round-robin. */
  mint(count: number): string[];
}

/** Sets up an installation through the service's own modules. */
export async function seed(
  env: Readonly<Record<string, string>>,
  shape: Shape = SINGLE_TENANT,
): Promise<Seed> {
  const config = seedingConfig(env);
  // The first start creates the installation.
  await (await startKeywright({ config })).close();
  const database = await open(config);
  const changes = await watchChanges(database);
  try {
    return await fill(database, changes, config, shape);
  } finally {
    await changes.stop();
    await database.close();
  }
}

function seedingConfig(env: Readonly<Record<string, string>>): Config {
  const settings = { KEYWRIGHT_PORT: '0', KEYWRIGHT_LOG_LEVEL: 'silent' };
  return readConfig({ ...env, ...settings, ...asynchronous(env['KEYWRIGHT_DATABASE_URL']) });
}

/** Opens the database of an installation, with asynchronous commits. */
export function openForSeeding(env: Readonly<Record<string, string>>): Promise<Database> {
  return open(seedingConfig(env));
}

/** Seeding uses asynchronous commits. */
function asynchronous(databaseUrl: string | undefined): Record<string, string> {
  if (databaseUrl === undefined) return {};
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c synchronous_commit=off');
  return { KEYWRIGHT_DATABASE_URL: url.href };
}

async function open(config: Config): Promise<Database> {
  if (config.databaseUrl === undefined) return openEmbedded(config.dataDir);
  return openPostgres(config.databaseUrl, () => {});
}

async function fill(
  database: Database,
  changes: Changes,
  config: Config,
  shape: Shape,
): Promise<Seed> {
  const masterKeys = new MasterKeys(config.masterKeys);
  const tenantIds = await createTenants(database, masterKeys, shape.tenants);
  const keys = new KeyRing(new Gate(database), masterKeys, changes, systemClock);
  const gate = new Gate(database, systemClock, undefined, keys.auditKeys);
  const directory = new TenantDirectory(database, changes, () => config.baseUrl ?? '', keys.learn);
  const users = await createUsers(database, tenantIds, shape.people);
  const bits = new TokenBits(gate, systemClock);
  const activity = { count: () => {} };
  const dataKeys = new DataKeys(gate, masterKeys);
  const applicationKeys = new ApplicationKeys(gate, masterKeys, dataKeys, changes, systemClock);
  const jwts = new ApplicationJwts(gate, systemClock, keys, applicationKeys);
  const sessions = new SessionService(gate, systemClock, activity, keys, jwts, bits, () => {});
  const people = await pooled(SESSIONS_AT_ONCE, users, async (user): Promise<Person> => {
    const answer = await sessions.open(await tenantOf(directory, user.tenantId), {
      permit: passwordPermit(user.tenantId, user.userId),
      workspaceId: undefined,
      userAgent: 'keywright-bench',
      from: { address: '127.0.0.1', requestId: 'bench' },
      isNewDevice: false,
      attempts: [],
    });
    if (typeof answer === 'string') throw new Error(`A session was not opened: ${answer}`);
    const { access_token: accessToken, refresh_token: refreshToken } = answer;
    return { ...user, sessionId: sessionOf(accessToken), accessToken, refreshToken };
  });
  const tenant = await tenantOf(directory, tenantIds[0] as TenantId);
  const tenantPeople = people.filter((person) => person.tenantId === tenant.id);
  const key = await keys.signer(tenant.id);
  return {
    tenantId: tenant.id,
    password: PASSWORD,
    people,
    mint: minter(tenant, key, tenantPeople),
  };
}

async function tenantOf(directory: TenantDirectory, id: TenantId): Promise<Tenant> {
  const tenant = await directory.findById(id);
  if (!tenant) throw new Error('The tenant is missing.');
  return tenant;
}

type User = Pick<Person, 'tenantId' | 'identifier' | 'userId'>;

/** Creates users of the tenants round-robin, as the API would have written them, without audit log entries. */
async function createUsers(
  database: Database,
  tenantIds: readonly TenantId[],
  count: number,
): Promise<User[]> {
  const now = new Date();
  // One hash for all, because hashing takes the longest.
  const secretHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const users = Array.from({ length: count }, (_, number) => ({
    tenantId: tenantIds[number % tenantIds.length] as TenantId,
    identifier: `person-${number}@example.com`,
    userId: newUserId(now),
  }));
  for (let from = 0; from < count; from += USERS_IN_A_STATEMENT) {
    const batch = users.slice(from, from + USERS_IN_A_STATEMENT);
    await acrossTenants(database, (db) => insertUsers(db, batch, secretHash, now));
  }
  return users;
}

async function insertUsers(
  db: SystemTx['db'],
  users: readonly User[],
  secretHash: string,
  now: Date,
): Promise<void> {
  const each = <Row>(rowOf: (owner: { tenant_id: TenantId; user_id: UserId }, user: User) => Row) =>
    users.map((user) => rowOf({ tenant_id: user.tenantId, user_id: user.userId }, user));
  await db
    .insertInto('users')
    .values(each(({ tenant_id, user_id: id }) => ({ tenant_id, id, created_at: now })))
    .execute();
  await db
    .insertInto('user_identifiers')
    .values(each((owner, { identifier }) => ({ ...owner, identifier, type: 'email', position: 0 })))
    .execute();
  const password = { type: 'password', provider: 'local', secret_hash: secretHash } as const;
  await db
    .insertInto('user_credentials')
    .values(each((owner) => ({ ...owner, ...password })))
    .execute();
  await db
    .insertInto('user_roles')
    .values(each((owner) => ({ ...owner, role: ROLE })))
    .execute();
}

function sessionOf(accessToken: string): SessionId {
  const payload = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(payload) as { sid: SessionId }).sid;
}

function minter(tenant: Tenant, key: SigningKey, people: readonly Person[]) {
  let next = 0;
  const mint = (): string => {
    const person = people[next % people.length] as Person;
    next += 1;
    const now = systemClock.now();
    const subject = {
      sub: person.userId,
      sessionId: person.sessionId,
      workspaceId: WORKSPACE,
      roles: [ROLE],
      scopes: SCOPES,
      grant: { sid: person.sessionId, client_id: 'keywright', ver: 0 },
      grantEndsAt: new Date(now.getTime() + 86_400_000),
      bit: next,
    };
    return mintAccessToken(key, tenant, subject, now).token;
  };
  return (count: number) => Array.from({ length: count }, mint);
}
