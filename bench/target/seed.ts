import { hash } from '@node-rs/argon2';
import type { SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { startKeywright } from '@keywright/server/app';
import { type Changes, watchChanges } from '@keywright/server/tenancy/changes';
import { createDataKeys, createMasterKeys } from '@keywright/server/tenancy/data-keys';
import { createTenantDirectory } from '@keywright/server/tenancy/directory';
import { createGate, type Gate } from '@keywright/server/tenancy/gate';
import type { Tenant } from '@keywright/server/tenancy/tenant';
import { systemClock } from '@keywright/server/platform/clock';
import { type Config, readConfig } from '@keywright/server/platform/config';
import type { SigningKey } from '@keywright/server/platform/crypto/jws';
import type { Database } from '@keywright/server/platform/db/database';
import { openEmbedded } from '@keywright/server/platform/db/embedded';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { addressSubject, identifierSubject } from '@keywright/server/modules/attempts/index';
import { createOpenSession } from '@keywright/server/modules/sessions/index';
import { createKeyRing } from '@keywright/server/modules/signing-keys/index';
import { mintAccessToken } from '@keywright/server/modules/tokens/index';
import { writeUser } from '@keywright/server/modules/users/index';
import { pooled } from '@keywright/tests/harness/parallel';

const USERS = 2000;
const USERS_IN_A_TRANSACTION = 200;
const SESSIONS_AT_ONCE = 16;
const SLUG = 'bench';
const ROLE = 'admin';
const SCOPES = ['*:*'];
const WORKSPACE = 'ws_default' as WorkspaceId;

/** A person, and the session that they opened on the way in. */
export interface Person {
  readonly identifier: string;
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The tenant under load. */
export interface Seed {
  readonly tenantId: TenantId;
  /** Of every person. */
  readonly password: string;
  readonly people: readonly Person[];
  /** Access tokens that nobody has seen yet, of the sessions of these people in turn. */
  mint(count: number): string[];
}

/** Sets up an installation through the service's own modules, and leaves nothing open. */
export async function seed(env: Readonly<Record<string, string>>): Promise<Seed> {
  const config = readConfig({ ...env, KEYWRIGHT_PORT: '0', KEYWRIGHT_LOG_LEVEL: 'silent' });
  const tenantId = await createTenant(config);
  const database = await open(config);
  const changes = await watchChanges(database);
  try {
    return await fill(database, changes, config, tenantId);
  } finally {
    await changes.stop();
    await database.close();
  }
}

/** A first start makes the installation; the limits on logins are set so that the load stays below them. */
async function createTenant(config: Config): Promise<TenantId> {
  const running = await startKeywright({ config });
  const limits = { login_attempts_limit: 10_000, login_attempts_window: 1 };
  const tenant = { slug: SLUG, name: 'Bench', domains: [`${SLUG}.example.com`], config: limits };
  try {
    return await running.createTenant('bench', tenant);
  } finally {
    await running.close();
  }
}

async function open(config: Config): Promise<Database> {
  if (config.databaseUrl === undefined) return openEmbedded(config.dataDir);
  return openPostgres(config.databaseUrl, () => {});
}

async function fill(
  database: Database,
  changes: Changes,
  config: Config,
  tenantId: TenantId,
): Promise<Seed> {
  const gate = createGate(database);
  const directory = createTenantDirectory(database, changes, () => config.baseUrl ?? '');
  const tenant = await directory.findById(tenantId);
  const dataKeys = createDataKeys(gate, createMasterKeys(config.masterKeys));
  const keys = createKeyRing(gate, dataKeys, changes, systemClock);
  if (!tenant) throw new Error('The tenant is not there.');
  const password = 'correct horse battery staple';
  // One hash for all: hashing is what setting up would otherwise consist of.
  const secretHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const users = await createUsers(gate, tenantId, secretHash);
  const openSession = createOpenSession(gate, keys, systemClock);
  const people = await pooled(SESSIONS_AT_ONCE, users, async (user): Promise<Person> => {
    const answer = await openSession(tenant, {
      userId: user.userId,
      secretHash,
      workspaceId: undefined,
      userAgent: 'keywright-bench',
      address: '127.0.0.1',
      attempts: [addressSubject(user.identifier), identifierSubject(user.identifier)],
    });
    if (typeof answer === 'string') throw new Error(`A session was not opened: ${answer}`);
    const { access_token: accessToken, refresh_token: refreshToken } = answer;
    return { ...user, sessionId: sessionOf(accessToken), accessToken, refreshToken };
  });
  return { tenantId, password, people, mint: minter(tenant, await keys.signer(tenantId), people) };
}

async function createUsers(gate: Gate, tenantId: TenantId, secretHash: string) {
  const users: { identifier: string; userId: UserId }[] = [];
  while (users.length < USERS) {
    await gate.into(tenantId).transaction(async (tx) => {
      for (let inThis = 0; inThis < USERS_IN_A_TRANSACTION; inThis += 1) {
        const identifier = `person-${users.length}@example.com`;
        const user = { type: 'email', identifier, secretHash, roles: [ROLE] } as const;
        const userId = await writeUser(tx, user, systemClock.now());
        if (!userId) throw new Error(`${identifier} is taken.`);
        users.push({ identifier, userId });
      }
    });
  }
  return users;
}

function sessionOf(accessToken: string): SessionId {
  const payload = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(payload) as { sid: SessionId }).sid;
}

function minter(tenant: Tenant, key: SigningKey, people: readonly Person[]) {
  let next = 0;
  const mintOne = (): string => {
    const person = people[next % people.length] as Person;
    next += 1;
    const now = systemClock.now();
    const subject = {
      sub: person.userId,
      sessionId: person.sessionId,
      workspaceId: WORKSPACE,
      roles: [ROLE],
      scopes: SCOPES,
      grant: { sid: person.sessionId, ver: 0 },
      grantEndsAt: new Date(now.getTime() + 86_400_000),
    };
    return mintAccessToken(key, tenant, subject, now).token;
  };
  return (count: number) => Array.from({ length: count }, mintOne);
}
