// A new login method needs only a folder and a line: whatever it returns, the tenant's policy decides.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { findLogin } from '@keywright/server/modules/authentication/login/login-store';
import {
  METHODS,
  type Shown,
  addProof,
  newFlow,
  decide,
} from '@keywright/server/modules/authentication/proofs/proof-rules';
import type { SessionService } from '@keywright/server/modules/tokens/sessions/session-service';
import { PasswordHasher } from '@keywright/server/platform/crypto/password';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import { openSessionParts } from '../harness/session-parts.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { createOneTimeCode, ONE_TIME_CODE } from './one-time-code/method.ts';

const FROM = { address: '192.0.2.1', requestId: 'test' };
const SHARE = { flow: 'test', source: 'test' };
const ROUNDS = 300;

const passwords = new PasswordHasher();
const oneTimeCode = createOneTimeCode();

let keywright: Keywright;
let opened: Awaited<ReturnType<typeof openSessionParts>>;
let sessions: SessionService;

before(async () => {
  const masterKey = randomBytes(32).toString('base64');
  keywright = await startKeywright({ env: { KEYWRIGHT_MASTER_KEY: masterKey } });
  opened = await openSessionParts(keywright.database.url, masterKey);
  sessions = opened.sessions;
});

after(async () => {
  await opened.close();
  await keywright.close();
});

interface Member {
  readonly tenant: TestTenant;
  readonly identifier: string;
  readonly secret: string;
  readonly userId: UserId;
}

/** Creates a user in a new tenant with this policy, even if the API does not accept it yet. */
async function newMember(slug: string, policy: Partial<TenantConfig> = {}): Promise<Member> {
  const tenant = await keywright.tenant(slug);
  const [identifier, secret] = [newIdentifier(), newPassword()];
  const { user } = await tenant.login(identifier, secret, { extra: { register: true } });
  await keywright.database.query('UPDATE tenants SET config = $2 WHERE tenant_id = $1', [
    tenant.id,
    policy,
  ]);
  return { tenant, identifier, secret, userId: user.id };
}

/** What is typed in. */
interface Typed {
  readonly secret?: string;
  readonly code?: string;
}

/** Logs in by either method or both. @returns tokens, or the outcome without them */
async function logIn({ tenant: { id }, identifier }: Member, { secret, code }: Typed) {
  const { gate } = opened.parts;
  const now = new Date();
  const row = await findLogin(gate.into(id), identifier);
  const tenant = await opened.directory.queryById(id);
  if (!row || row.user_id === null || !tenant) return 'unknown';
  const subject = { userId: row.user_id, authVersion: row.auth_version };
  let flow = newFlow(id);
  if (
    secret !== undefined &&
    (await passwords.verify(row.secret_hash ?? undefined, secret, SHARE))
  ) {
    flow = addProof(flow, METHODS.password, subject, now);
  }
  const shown = code === undefined ? undefined : await oneTimeCode.prove(code);
  if (shown) flow = addProof(flow, ONE_TIME_CODE, shown, now);
  const user = {
    id: row.user_id,
    isActive: row.is_active,
    authVersion: row.auth_version,
    hasSecondFactor: false,
    hasPasskey: false,
    hasVerifiedIdentifier: false,
    hasMailbox: false,
    factorChannels: [],
  };
  const { config } = tenant;
  const next = decide(flow, user, {
    allowed_login_methods: config.allowed_login_methods,
    mfa_methods: config.mfa_methods,
    requiresSecondFactor: config.require_mfa,
    requiresVerifiedIdentifier: config.require_verified_identifier,
    requiredProviders: [],
    requiresEnrolledFactor: false,
  });
  if (next.status === 'needs') return next.step;
  if (next.status === 'ended') return next.status;
  const device = { userAgent: null, from: FROM, isNewDevice: true };
  const request = { workspaceId: undefined, ...device, attempts: [] };
  return sessions.open(tenant, { permit: next.permit, ...request });
}

function authenticationOf(answer: TokenAnswer | string) {
  assert.ok(typeof answer === 'object', 'no session');
  const { sub, acr, amr } = claimsOf(answer.access_token);
  return { sub, acr, amr };
}

interface SessionRow extends Record<string, unknown> {
  readonly user_id: string;
  readonly acr: string;
  readonly amr: string[];
}

function sessionsOf({ tenant }: Member) {
  return keywright.database.query<SessionRow>(
    'SELECT user_id, acr, amr FROM sessions WHERE tenant_id = $1 ORDER BY id',
    [tenant.id],
  );
}

describe('a second login method', () => {
  test('A second login method opens a session whose tokens name the methods used, without a password', async () => {
    const ana = await newMember('by-code', { allowed_login_methods: ['magic_link'] });
    await keywright.database.query('DELETE FROM user_credentials WHERE user_id = $1', [ana.userId]);
    const code = oneTimeCode.handOut({ userId: ana.userId, authVersion: 0 });
    const answer = await logIn(ana, { code });
    assert.deepEqual(authenticationOf(answer), { sub: ana.userId, acr: 'aal1', amr: ['otp'] });
    assert.equal(await logIn(ana, { code }), 'first_factor');
  });

  test('A second login method together with a password satisfies a tenant that requires two factors', async () => {
    const ana = await newMember('both', { require_mfa: true });
    const shown = { userId: ana.userId, authVersion: 0 };
    const { secret } = ana;
    assert.equal(await logIn(ana, { secret }), 'enrollment');
    assert.equal(await logIn(ana, { code: oneTimeCode.handOut(shown) }), 'enrollment');
    const answer = await logIn(ana, { secret, code: oneTimeCode.handOut(shown) });
    const amr = ['pwd', 'otp', 'mfa'];
    assert.deepEqual(authenticationOf(answer), { sub: ana.userId, acr: 'aal2', amr });
    const refresh = await ana.tenant.request<TokenAnswer>('POST', '/auth/refresh', {
      body: { refresh_token: (answer as TokenAnswer).refresh_token },
    });
    assert.deepEqual(authenticationOf(refresh.body), { sub: ana.userId, acr: 'aal2', amr });
  });

  test('A second login method opens no session once the user has changed credentials or is inactive', async () => {
    const ana = await newMember('changed');
    const token = await ana.tenant.adminToken();
    const path = `/users/${ana.userId}`;
    const code = oneTimeCode.handOut({ userId: ana.userId, authVersion: 0 });
    await ana.tenant.request('PATCH', path, { token, body: { password: newPassword() } });
    assert.equal(await logIn(ana, { code }), 'first_factor');
    await ana.tenant.request('PATCH', path, { token, body: { is_active: false } });
    const current = oneTimeCode.handOut({ userId: ana.userId, authVersion: 2 });
    assert.equal(await logIn(ana, { code: current }), 'ended');
  });
});

describe('whatever a login method returns', () => {
  /** Returns an object whose every field access reads the next of these values. */
  function shifting(values: readonly Shown[]): Shown {
    let reads = 0;
    const next = () => values[reads++ % values.length] as Shown;
    return {
      get userId() {
        return next().userId;
      },
      get authVersion() {
        return next().authVersion;
      },
    };
  }

  /** Fields that could be mistaken for those of a proof, a method or a decision. */
  const FORGED = {
    tenantId: 'org_default',
    acr: 'phr',
    amr: ['hwk', 'mfa'],
    level: 'phr',
    kind: 'knowledge',
    allowedAs: 'password',
    method: { kind: 'knowledge', allowedAs: 'password', amr: ['hwk'] },
    isActive: true,
    at: new Date(8.64e15),
    status: 'complete',
    factors: ['a', 'b'],
  };

  type Slug = 'free' | 'mfa' | 'no-codes' | 'no-passwords' | 'sleeping';
  const POLICIES: Readonly<Record<Slug, Partial<TenantConfig>>> = {
    free: {},
    mfa: { require_mfa: true },
    'no-codes': { allowed_login_methods: ['password'] },
    'no-passwords': { allowed_login_methods: ['magic_link'] },
    sleeping: {},
  };

  /** Returns other users that a method could name while this user logs in. */
  async function strangers(): Promise<string[]> {
    const elsewhere = await newMember('elsewhere');
    const administrators = await keywright.database.query<{ user_id: string }>(
      "SELECT user_id FROM user_roles WHERE role = 'system_admin'",
    );
    return [elsewhere.userId, ...administrators.map((row) => row.user_id), 'user:unknown'];
  }

  /** Creates a generator of values that a method could return when this user logs in. */
  function createForger(random: Random, others: readonly string[]) {
    const pick = <T>(items: readonly T[]) => items[random.between(0, items.length)] as T;
    return ({ userId }: Member): Shown => {
      const shown = () => ({
        userId: pick([userId, userId, userId, ...others]) as UserId,
        authVersion: pick<unknown>([0, 0, 0, 1, -1, NaN, '0']) as number,
      });
      return pick<() => unknown>([
        shown,
        () => ({ ...FORGED, ...shown() }),
        () => shifting([shown(), shown(), shown()]),
        () => [shown(), shown()],
        () => Object.create({ ...FORGED, ...shown() }),
        () => true,
      ])() as Shown;
    };
  }

  /** Asserts the limits of a new session after a code and, optionally, the correct password. */
  function assertWithin(
    slug: Slug,
    target: Member,
    session: SessionRow,
    answer: TokenAnswer,
    isSecretShown: boolean,
  ): void {
    assert.notEqual(slug, 'sleeping');
    assert.equal(session.user_id, target.userId);
    const { sub, acr, amr = [], tenant_id: tenantId } = claimsOf(answer.access_token);
    assert.deepEqual([sub, tenantId], [target.userId, target.tenant.id]);
    assert.deepEqual([acr, amr], [session.acr, session.amr]);
    // The proof is the password, the code, or both. Anything else that they claim is ignored.
    const possible = isSecretShown ? ['pwd', 'otp'] : ['otp'];
    const proven = amr.filter((method) => method !== 'mfa');
    assert.deepEqual(
      proven,
      possible.filter((method) => proven.includes(method)),
    );
    assert.equal(acr, proven.length === 2 ? 'aal2' : 'aal1');
    if (slug === 'mfa') assert.equal(acr, 'aal2');
    if (slug === 'no-codes') assert.deepEqual(amr, ['pwd']);
    if (slug === 'no-passwords') assert.deepEqual(amr, ['otp']);
  }

  test('No result of a login method opens a session below the policy, for another user, or stronger than was proven', async (t) => {
    const random = seededRandom();
    t.diagnostic(`seed ${random.seed}`);
    const slugs = Object.keys(POLICIES) as Slug[];
    const targets = await Promise.all(slugs.map((slug) => newMember(slug, POLICIES[slug])));
    const sleeping = targets[slugs.indexOf('sleeping')];
    const deactivate = 'UPDATE users SET is_active = false WHERE id = $1';
    await keywright.database.query(deactivate, [sleeping?.userId]);
    const forge = createForger(random, await strangers());
    let openedSessions = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const place = random.between(0, slugs.length);
      const [slug, target] = [slugs[place] as Slug, targets[place] as Member];
      const earlier = await sessionsOf(target);
      const code = oneTimeCode.handOut(forge(target));
      // Hashing is slow: either the correct password is presented, or none.
      const isSecretShown = random.between(0, 4) === 0;
      const answer = await logIn(target, { code, ...(isSecretShown && { secret: target.secret }) });
      const [session, ...more] = (await sessionsOf(target)).slice(earlier.length);
      assert.deepEqual([session !== undefined, more], [typeof answer === 'object', []]);
      if (!session || typeof answer !== 'object') continue;
      openedSessions += 1;
      assertWithin(slug, target, session, answer, isSecretShown);
    }
    assert.ok(openedSessions > ROUNDS / 20, `only ${openedSessions} sessions`);
  });
});
