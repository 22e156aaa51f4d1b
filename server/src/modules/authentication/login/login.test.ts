import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, sessionOf, headerOf } from '@keywright/tests/harness/token';
import { hash } from '@node-rs/argon2';

type LoginAnswer = Answer<TokenAnswer & ErrorBody>;

const ID = '[0-7][0-9a-hjkmnp-tv-z]{25}';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: 2, passwords: 'real' });
  tenant = await keywright.tenant('login', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

function logIn(
  body: Record<string, unknown>,
  at: TestTenant = tenant,
  node = 0,
): Promise<LoginAnswer> {
  return at.request('POST', '/auth/login', { body, node });
}

async function setHash(userId: string, secretHash: string): Promise<void> {
  await keywright.database.query(
    'UPDATE user_credentials SET secret_hash = $2 WHERE user_id = $1',
    [userId, secretHash],
  );
}

/** Creates a user without the API, because no user who could create users can log in yet. */
async function addUser(at: TestTenant, identifier: string, secret: string): Promise<void> {
  const { user } = await tenant.createUser({ identifier, password: secret });
  const moved = ['users', 'user_identifiers', 'user_credentials'].map(
    (table) =>
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('tenant_id', $2::text))).*
         FROM ${table} t WHERE ${table === 'users' ? 'id' : 'user_id'} = $1 AND tenant_id <> $2`,
  );
  for (const sql of moved) await keywright.database.query(sql, [user.id, at.id]);
}

async function usersOf(at: TestTenant): Promise<number> {
  const [row] = await keywright.database.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM users WHERE tenant_id = $1',
    [at.id],
  );
  return row?.n ?? -1;
}

async function storedHash(userId: string): Promise<string> {
  const [row] = await keywright.database.query<{ secret_hash: string }>(
    'SELECT secret_hash FROM user_credentials WHERE user_id = $1',
    [userId],
  );
  return row?.secret_hash ?? '';
}

describe('a login with the correct secret', () => {
  test('A login returns two signed tokens, their lifetimes, and the user (SPEC resources login 1, SPEC resources login 2, SPEC resources login 3, SPEC endpoints auth 1, SPEC service 2)', async () => {
    const { user, identifier, password } = await tenant.createUser();
    const answer = await logIn({ identifier, secret: password });
    const body = expectStatus(200, answer);
    assert.deepEqual(Object.keys(body).toSorted(), [
      'access_token',
      'device_token',
      'expires_in',
      'refresh_token',
      'token_type',
      'user',
    ]);
    assert.equal(body.token_type, 'Bearer');
    assert.equal(body.expires_in, 3600);
    assert.deepEqual(body.user, {
      id: user.id,
      tenant_id: tenant.id,
      identifiers: [{ type: 'email', identifier, verified: false }],
    });
    assert.deepEqual(
      [headerOf(body.access_token).typ, headerOf(body.refresh_token).typ],
      ['at+jwt', 'rt+jwt'],
    );
    for (const token of [body.access_token, body.refresh_token]) {
      assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]{86}$/);
      assert.equal(headerOf(token).alg, 'EdDSA');
    }
    assert.match(sessionOf(body.access_token), new RegExp(`^session:${ID}$`));
    assert.equal(answer.headers['cache-control'], 'no-store');
  });

  test('A login is the same however the identifier and the secret are typed', async () => {
    const identifier = newIdentifier();
    const secret = `coﬀee and cafe\u0301 ${newPassword()}`;
    const { user } = await tenant.login(identifier, secret, { extra: { register: true } });
    const typed = { identifier: identifier.toUpperCase(), secret: secret.normalize('NFKC') };
    assert.equal(expectStatus(200, await logIn(typed)).user.id, user.id);
  });

  test('A login works with each identifier of a user, email or phone (SPEC service 1)', async () => {
    const { user, identifier, password } = await tenant.createUser();
    const phone = '+4915112345678';
    const patch = { identifiers: [{ identifier }, { identifier: phone }] };
    const options = { token: await tenant.adminToken(), body: patch };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
    const answer = expectStatus(200, await logIn({ identifier: phone, secret: password }));
    assert.equal(answer.user.id, user.id);
    assert.deepEqual(answer.user.identifiers[1], {
      type: 'phone',
      identifier: phone,
      verified: false,
    });
  });

  test('A login lasts as long as the tenant configures (SPEC resources tenant config 5, SPEC limits 1)', async () => {
    const short = await keywright.tenant('short', { config: { session_timeout: 120 } });
    const { access_token, expires_in } = await short.login(newIdentifier(), newPassword(), {
      extra: { register: true },
    });
    assert.equal(expires_in, 120);
    const { iat, exp } = claimsOf(access_token);
    assert.equal(exp - iat, 120);

    const usual = claimsOf((await tenant.createUser()).token);
    assert.equal(usual.exp - usual.iat, 3600);
  });

  test('A login rehashes a password hashed with weaker parameters, and only then (SPEC authentication 8)', async () => {
    const { user, identifier, password } = await tenant.createUser();
    const good = await storedHash(user.id);
    await logIn({ identifier, secret: password });
    assert.equal(await storedHash(user.id), good);

    const weak = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await setHash(user.id, weak);
    const { access_token } = expectStatus(200, await logIn({ identifier, secret: password }));
    const stronger = await storedHash(user.id);
    assert.match(stronger, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.notEqual(stronger, good, 'a new salt');
    expectStatus(200, await tenant.request('GET', '/me', { token: access_token }));
    expectStatus(200, await logIn({ identifier, secret: password }));
  });
});

describe('a rejected login', () => {
  /** The parts of a response that a client can see, without those that differ each time. */
  function visible({ status, text, headers }: LoginAnswer) {
    const { date: _date, 'x-request-id': _id, ...others } = headers;
    return { status, text, headers: others };
  }

  test('A rejected login has the same response for an unknown user, a wrong secret and an inactive user', async () => {
    const { user, identifier, password } = await tenant.createUser();
    const wrong = await logIn({ identifier, secret: newPassword() });
    const unknown = await logIn({ identifier: newIdentifier(), secret: password });
    const options = { token: await tenant.adminToken(), body: { is_active: false } };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
    const inactive = await logIn({ identifier, secret: password });
    assert.equal(wrong.status, 401);
    assert.equal(wrong.body.code, 'INVALID_CREDENTIALS');
    assert.deepEqual(visible(unknown), visible(wrong));
    assert.deepEqual(visible(inactive), visible(wrong));
  });

  test('A rejected login has the same response if passwords are not an allowed method (SPEC resources tenant config 1)', async () => {
    const strict = await keywright.tenant('strict');
    const identifier = newIdentifier();
    const secret = newPassword();
    await strict.login(identifier, secret, { extra: { register: true } });
    await keywright.database.query(`UPDATE tenants SET config = $2 WHERE tenant_id = $1`, [
      strict.id,
      { allowed_login_methods: ['magic_link', 'oauth', 'passkey'] },
    ]);
    const wrong = await logIn({ identifier: newIdentifier(), secret });
    // The second node has not loaded this tenant yet, so it has no stale setting.
    const refused = await logIn({ identifier, secret }, strict, 1);
    assert.deepEqual(visible(refused), visible(wrong));
    const newcomer = { identifier: newIdentifier(), secret, register: true };
    assert.deepEqual(visible(await logIn(newcomer, strict, 1)), visible(wrong));
  });

  test('A rejected login discloses only with the correct secret that the tenant requires a second factor', async () => {
    const mfa = await keywright.tenant('mfa');
    // Directly in the database: the API rejects settings that prevent all logins. No node has loaded the tenant yet.
    await keywright.database.query(`UPDATE tenants SET config = $2 WHERE tenant_id = $1`, [
      mfa.id,
      { require_mfa: true },
    ]);
    const identifier = newIdentifier();
    const secret = newPassword();
    await addUser(mfa, identifier, secret);
    const right = await logIn({ identifier, secret }, mfa);
    assert.equal(`${right.status} ${right.body.code}`, '401 MFA_REQUIRED');
    assert.equal(right.text.includes('access_token"'), false);
    const wrong = await logIn({ identifier, secret: newPassword() }, mfa);
    assert.equal(wrong.body.code, 'INVALID_CREDENTIALS');
    // An inactive user also learns nothing.
    await keywright.database.query(`UPDATE users SET is_active = false WHERE tenant_id = $1`, [
      mfa.id,
    ]);
    assert.deepEqual(visible(await logIn({ identifier, secret }, mfa)), visible(wrong));
    const [row] = await keywright.database.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM sessions WHERE tenant_id = $1',
      [mfa.id],
    );
    assert.equal(row?.n, 0);
  });

  test('A secret of more than 256 characters is rejected before any hashing; 256 are accepted', async () => {
    const identifier = newIdentifier();
    const hashes = () => keywright.nodes[0]?.passwords.computed;
    const hashesBefore = hashes();
    // Each ligature is three characters after NFKC.
    for (const secret of ['x'.repeat(257), 'ﬃ'.repeat(86)]) {
      const body = expectStatus(400, await logIn({ identifier, secret, register: true }));
      assert.deepEqual(body.errors, [{ path: '/secret', message: 'has more than 256 characters' }]);
    }
    assert.equal(hashes(), hashesBefore);
    const longest = `${newPassword()}${'🔑'.repeat(256)}`.slice(0, 20 + 2 * 236);
    assert.equal(Array.from(longest).length, 256);
    await tenant.login(identifier, longest, { extra: { register: true } });
    await tenant.login(identifier, longest);
  });
});

describe('a login with register', () => {
  test('A login with register creates an unverified member for an unknown identifier (SPEC endpoints auth 2, SPEC service 2)', async () => {
    const identifier = newIdentifier();
    const secret = newPassword();
    const { user } = expectStatus(200, await logIn({ identifier, secret, register: true }));
    const options = { token: await tenant.adminToken() };
    const record = await tenant.request<UserRecord>('GET', `/users/${user.id}`, options);
    assert.deepEqual(record.body.identifiers, [{ type: 'email', identifier, verified: false }]);
    assert.deepEqual(record.body.roles, ['member']);
    assert.equal(expectStatus(200, await logIn({ identifier, secret })).user.id, user.id);
  });

  test('A login with register is a plain login for a known identifier', async () => {
    const { user, identifier, password } = await tenant.createUser();
    const right = await logIn({ identifier, secret: password, register: true });
    assert.equal(expectStatus(200, right).user.id, user.id);
    const hashBefore = await storedHash(user.id);
    const wrong = await logIn({ identifier, secret: newPassword(), register: true });
    assert.equal(wrong.body.code, 'INVALID_CREDENTIALS');
    assert.equal(await storedHash(user.id), hashBefore);
  });

  test('A login with register creates no user if the tenant does not allow registrations', async () => {
    const closed = await keywright.tenant('closed-2', { config: { allow_registration: false } });
    const identifier = newIdentifier();
    const refused = await logIn({ identifier, secret: newPassword(), register: true }, closed);
    assert.equal(`${refused.status} ${refused.body.code}`, '401 INVALID_CREDENTIALS');
    const rows = await keywright.database.query('SELECT FROM users WHERE tenant_id = $1', [
      closed.id,
    ]);
    assert.equal(rows.length, 0);
  });

  test('A login with register creates no user if the tenant does not allow passwords', async () => {
    const passwordless = await keywright.tenant('passwordless', {
      config: { allowed_login_methods: ['magic_link', 'passkey'] },
    });
    const newcomer = { identifier: newIdentifier(), secret: newPassword(), register: true };
    assert.equal((await logIn(newcomer, passwordless)).body.code, 'INVALID_CREDENTIALS');
    assert.equal(await usersOf(passwordless), 0);
  });

  test('A login with register creates no user if it fails, and does not disclose whether one exists', async () => {
    const closed = await keywright.tenant('closed', { config: { allow_registration: false } });
    const secret = newPassword();
    const wrong = await logIn({ identifier: newIdentifier(), secret });
    const refused = await logIn({ identifier: newIdentifier(), secret, register: true }, closed);
    assert.deepEqual([refused.status, refused.text], [401, wrong.text]);
    assert.equal(await usersOf(closed), 0);
    const ofClosed = 'SELECT FROM events WHERE tenant_id = $1';
    assert.deepEqual(await keywright.database.query(ofClosed, [closed.id]), []);
  });

  test('A login with register creates the user and the session atomically', async () => {
    const broken = await keywright.tenant('broken');
    // The session is written last.
    await keywright.database.query(
      `ALTER TABLE sessions ADD CONSTRAINT none_of_broken CHECK (tenant_id <> '${broken.id}')`,
    );
    const newcomer = { identifier: newIdentifier(), secret: newPassword(), register: true };
    const answer = await logIn(newcomer, broken);
    await keywright.database.query('ALTER TABLE sessions DROP CONSTRAINT none_of_broken');
    assert.equal(answer.status, 500);
    assert.equal(await usersOf(broken), 0);
    expectStatus(200, await logIn(newcomer, broken));
    assert.equal(await usersOf(broken), 1);
  });

  test('A login without register, or with register false, does not create a user', async () => {
    const identifier = newIdentifier();
    const secret = newPassword();
    for (const extra of [{}, { register: false }, {}]) {
      assert.equal((await logIn({ identifier, secret, ...extra })).status, 401);
    }
  });

  const flawed = [
    { secret: 'eleven char', message: 'needs at least 12 characters', rule: 'too short' },
    { secret: 'Password1234', message: 'is one of the most common passwords', rule: 'common' },
  ];
  for (const { secret, message, rule } of flawed) {
    test(`A login with register rejects a new password that is ${rule}, whether or not the identifier is known (SPEC resources tenant config 3)`, async () => {
      const { identifier } = await tenant.createUser();
      for (const candidate of [identifier, newIdentifier()]) {
        const answer = await logIn({ identifier: candidate, secret, register: true });
        assert.deepEqual(expectStatus(400, answer).errors, [{ path: '/secret', message }]);
      }
    });
  }
});

describe('the workspace of a login', () => {
  async function memberOf(...workspaces: string[]) {
    const user = await tenant.createUser();
    const options = { token: await tenant.adminToken(), body: { workspaces } };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
    return { identifier: user.identifier, secret: user.password };
  }

  async function landsIn(body: Record<string, unknown>): Promise<string> {
    return claimsOf(expectStatus(200, await logIn(body)).access_token).workspace_id;
  }

  before(async () => {
    await keywright.database.query(
      `INSERT INTO workspaces (tenant_id, id, name, slug, is_active, created_at)
       SELECT $1, 'ws_' || slug, slug, slug, slug <> 'retired', now()
         FROM unnest(ARRAY['one', 'two', 'foreign', 'retired']) AS slug`,
      [tenant.id],
    );
  });

  test('The workspace of a login is the requested one, otherwise the first of the user, otherwise ws_default', async () => {
    const member = await memberOf('ws_two', 'ws_one');
    assert.equal(await landsIn({ ...member, workspace_id: 'ws_one' }), 'ws_one');
    assert.equal(await landsIn(member), 'ws_two');
    assert.equal(await landsIn({ ...member, workspace_id: 'ws_default' }), 'ws_default');
    const nowhere = await memberOf();
    assert.equal(await landsIn(nowhere), 'ws_default');
  });

  test('The workspace of a login is never inactive', async () => {
    const member = await memberOf('ws_retired', 'ws_one');
    assert.equal(await landsIn(member), 'ws_one');
    assert.equal((await logIn({ ...member, workspace_id: 'ws_retired' })).status, 404);
  });

  test('A login in a workspace of which the user is not a member returns 404, as if it did not exist', async () => {
    const member = await memberOf('ws_one');
    const foreign = await logIn({ ...member, workspace_id: 'ws_foreign' });
    const unknown = await logIn({ ...member, workspace_id: 'ws_nowhere' });
    assert.equal(`${foreign.status} ${foreign.body.code}`, '404 NOT_FOUND');
    assert.equal(unknown.text, foreign.text);
  });

  test('A login with register in another workspace returns 404 for an unknown identifier and for a wrong secret, whichever workspaces exist', async () => {
    const { identifier, secret } = await memberOf('ws_one');
    const users = await usersOf(tenant);
    const wrong = { secret: newPassword(), register: true };
    for (const workspace_id of ['ws_one', 'ws_foreign', 'ws_nowhere']) {
      for (const candidate of [identifier, newIdentifier()]) {
        const refused = await logIn({ identifier: candidate, ...wrong, workspace_id });
        assert.equal(`${refused.status} ${refused.body.code}`, '404 NOT_FOUND');
      }
    }
    const landed = await landsIn({ identifier, secret, register: true, workspace_id: 'ws_one' });
    assert.deepEqual([landed, await usersOf(tenant)], ['ws_one', users]);
  });
});

test('X-Forwarded-For of an untrusted internal address raises no limit: the address itself is counted', async () => {
  const limits = { login_attempts_address_limit: 2, registrations_address_limit: 2 };
  const forwarded = await keywright.tenant('forwarded', { config: limits });
  const loginStatus = async (body: object, claimed: string) => {
    const headers = { 'x-forwarded-for': claimed };
    return (await forwarded.request('POST', '/auth/login', { headers, body })).status;
  };
  const newcomer = () => ({ identifier: newIdentifier(), secret: newPassword() });
  const registers = () => ({ ...newcomer(), register: true });
  assert.equal(await loginStatus(registers(), '192.0.2.1'), 200);
  assert.equal(await loginStatus(registers(), '192.0.2.2'), 200);
  assert.equal(await loginStatus(registers(), '192.0.2.3'), 429);
  assert.equal(await loginStatus(newcomer(), '192.0.2.4'), 401);
  assert.equal(await loginStatus(newcomer(), '192.0.2.5'), 429);
});
