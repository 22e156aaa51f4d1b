import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { Answer, AnyBody, RequestOptions } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { claimsOf, headerOf } from '../harness/token.ts';
import { distinctStrings, dumpTenant, type TenantDump } from './dump.ts';
import { publishKey } from './published-key.ts';

/** One of the two tenants, and who and what is in it. The names of its things occur nowhere else. */
export interface Side {
  readonly tenant: TestTenant;
  /** Has every scope. */
  readonly admin: TestUser;
  /** Has none. */
  readonly member: TestUser;
  /** Nobody works with their sessions. */
  readonly idler: TestUser;
  readonly workspaceId: string;
  readonly role: string;
}

/** A tenant whose requests are watched, beside another one that they must learn nothing of. */
export interface World {
  readonly keywright: Keywright;
  readonly own: Side;
  readonly foreign: Side;
  /** Of the own administrator; their session is alive. */
  readonly expiredToken: string;
  /** What the own administrator's token says, under a key that the foreign tenant publishes. */
  readonly forgedTokens: readonly string[];
  /** The foreign administrator's own claims under that key: good in their tenant. */
  readonly foreignKeyToken: string;
  /** Of the first system administrator, in the default tenant. */
  readonly systemAdminToken: string;
  /** Of a tenant that was switched off before anybody asked for it. */
  readonly inactiveTenantId: string;
  /** Asks and takes the answer down, as one that the foreign tenant must not be found in. */
  ask(method: string, path: string, options?: RequestOptions): Promise<Answer<AnyBody>>;
  /** An access token of the own administrator, of a session that is nobody else's. */
  freshAdminToken(): Promise<string>;
  /** What the answers told of the foreign tenant; each with the question. */
  leaks(): Promise<string[]>;
  /** What is different in the foreign tenant's rows from when the world was made. */
  foreignRows(): Promise<{ readonly before: TenantDump; readonly now: TenantDump }>;
  close(): Promise<void>;
}

const HOUR = 3600;

export async function createWorld(): Promise<World> {
  const keywright = await startKeywright({ clock: 'fake' });
  const asked: { readonly question: string; readonly text: string }[] = [];
  const early = await furnish(keywright, await createTenant(keywright, 'own'), 'own');
  const expiredToken = early.admin.token;
  keywright.clock.advance(HOUR + CLOCK_SKEW_SECONDS + 1);
  const own: Side = {
    ...early,
    admin: await logInAgain(early, early.admin),
    member: await logInAgain(early, early.member),
  };
  const foreignTenant = await createTenant(keywright, 'foreign');
  const key = await publishKey(keywright, foreignTenant);
  const foreign = await furnish(keywright, foreignTenant, 'foreign');
  const before = await dumpTenant(keywright.database, foreign.tenant.id);
  const claims = claimsOf(own.admin.token);
  const ownKid = headerOf(own.admin.token).kid;

  const ask: World['ask'] = async (method, path, options = {}) => {
    const answer = await keywright.request(method, path, options);
    asked.push({ question: `${method} ${path}`, text: answer.text });
    return answer;
  };

  return {
    keywright,
    own,
    foreign,
    expiredToken,
    forgedTokens: [key.sign(key.kid, claims), key.sign(ownKid, claims)],
    foreignKeyToken: key.sign(key.kid, claimsOf(foreign.admin.token)),
    systemAdminToken: await keywright.adminToken(),
    inactiveTenantId: await createInactiveTenant(keywright),
    ask,
    freshAdminToken: async () => (await logInAgain(own, own.admin)).token,
    leaks: async () => {
      const theirs = await dumpTenant(keywright.database, foreign.tenant.id);
      const ours = await dumpTenant(keywright.database, own.tenant.id);
      return findLeaks(asked, distinctStrings(theirs, ours));
    },
    foreignRows: async () => ({
      before,
      now: await dumpTenant(keywright.database, foreign.tenant.id),
    }),
    close: () => keywright.close(),
  };
}

function createTenant(keywright: Keywright, slug: string): Promise<TestTenant> {
  return keywright.tenant(slug, {
    name: `${slug} affairs`,
    config: { login_attempts_limit: 10_000 },
  });
}

async function createInactiveTenant(keywright: Keywright): Promise<string> {
  const { id } = await createTenant(keywright, 'inactive');
  await keywright.database.query('UPDATE tenants SET is_active = false WHERE tenant_id = $1', [id]);
  return id;
}

/** A workspace, a role, and people in both: what there is no route for yet is written past the service. */
async function furnish(keywright: Keywright, tenant: TestTenant, slug: string): Promise<Side> {
  const { database } = keywright;
  const workspaceId = `ws_${slug}-cellar`;
  const role = `${slug}_gardener`;
  const now = keywright.clock.now();
  await database.query(
    `INSERT INTO workspaces (tenant_id, id, name, slug, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [tenant.id, workspaceId, `the cellar of ${slug}`, `${slug}-cellar`, now],
  );
  await database.query(
    `INSERT INTO roles (tenant_id, name, description, scopes, created_at)
     VALUES ($1, $2, $3, '{}', $4)`,
    [tenant.id, role, `waters the ${slug}`, now],
  );
  const token = await tenant.adminToken();
  const admin = await tenant.createUser({ roles: ['admin'] });
  const member = await tenant.createUser();
  const idler = await tenant.createUser({ roles: [role] });
  await tenant.request('PATCH', `/users/${idler.user.id}`, {
    token,
    body: { workspaces: [workspaceId], metadata: { note: `a secret of ${slug}` } },
  });
  return { tenant, admin, member, idler, workspaceId, role };
}

async function logInAgain({ tenant }: Side, user: TestUser): Promise<TestUser> {
  const answer = await tenant.login(user.identifier, user.password);
  return { ...user, token: answer.access_token, refreshToken: answer.refresh_token };
}

const JWT = /eyJ[\w-]+\.([\w-]+)\.[\w-]+/g;

/** Whatever of the foreign tenant stands in an answer, inside its tokens too. */
function findLeaks(
  asked: readonly { readonly question: string; readonly text: string }[],
  foreignStrings: readonly string[],
): string[] {
  return asked.flatMap(({ question, text }) => {
    const payloads = [...text.matchAll(JWT)].map(([, payload = '']) =>
      Buffer.from(payload, 'base64url').toString(),
    );
    const told = [text, ...payloads].join('\n');
    return foreignStrings
      .filter((one) => told.includes(one))
      .map((one) => `${question} told ${one}`);
  });
}
