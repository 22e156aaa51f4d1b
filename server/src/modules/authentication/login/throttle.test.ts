import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { LoginAnswer } from '@keywright/contract/records/tokens';
import { fakeClock } from '@keywright/tests/harness/clock';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { createDatabase } from '@keywright/tests/harness/database';
import { type Answer, expectStatus, httpClient } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { startKeywright as start } from '../../../app.ts';
import { readConfig } from '../../../platform/config.ts';
import type { PasswordHasher, Share } from '../../../platform/crypto/password.ts';

const LIMIT = 3;
const WINDOW_SECONDS = 60;
/** The maximum number of waiting hashes per core. */
const WAITING_PER_WORKER = 32;
const PROXY = { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1' };
const HOME = '203.0.113.7';

interface Attempt {
  readonly identifier?: string;
  readonly secret?: string;
  /** The client address, as reported by the proxy. */
  readonly from?: string;
  readonly node?: number;
  readonly token?: string;
  readonly register?: boolean;
}

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake', env: PROXY, passwords: 'real' });
});

after(() => keywright.close());

/** Each test has its own tenant, with nothing counted yet. */
function freshTenant(config: Partial<TenantConfig> = {}): Promise<TestTenant> {
  tenants += 1;
  const limits = { login_attempts_limit: LIMIT, login_attempts_window: WINDOW_SECONDS };
  return keywright.tenant(`throttle-${tenants}`, { config: { ...limits, ...config } });
}

function attempt(
  tenant: TestTenant,
  { from = HOME, node = 0, ...rest }: Attempt,
): Promise<Answer<LoginAnswer & ErrorBody>> {
  const { identifier = newIdentifier(), secret = newPassword(), token, register } = rest;
  const headers = { 'x-forwarded-for': from };
  const fields = {
    ...(token === undefined ? {} : { device_token: token }),
    ...(register === undefined ? {} : { register }),
  };
  const body = { identifier, secret, ...fields };
  return tenant.request('POST', '/auth/login', { node, headers, body });
}

/** Makes failed attempts until the limit is reached. */
async function useUp(tenant: TestTenant, attemptAt: (index: number) => Attempt): Promise<void> {
  for (let index = 0; index < LIMIT; index += 1) {
    expectStatus(401, await attempt(tenant, attemptAt(index)));
  }
}

function assertThrottled(answer: Answer<ErrorBody>): void {
  assert.equal(`${answer.status} ${answer.body.code}`, '429 TOO_MANY_ATTEMPTS');
}

async function registered(tenant: TestTenant): Promise<{ identifier: string; secret: string }> {
  const identifier = newIdentifier();
  const secret = newPassword();
  const headers = { 'x-forwarded-for': '198.51.100.99' };
  await tenant.login(identifier, secret, { headers, extra: { register: true } });
  return { identifier, secret };
}

describe('logins beyond login_attempts_limit', () => {
  test('Logins beyond the limit are rejected for one identifier from many addresses, even with the correct secret (SPEC limits 5, SPEC resources tenant config 7)', async () => {
    const tenant = await freshTenant();
    const { identifier, secret } = await registered(tenant);
    const hashed = () => keywright.nodes[0]?.passwords.computed;
    await useUp(tenant, (index) => ({ identifier, from: `192.0.2.${index}` }));
    const hashedBefore = hashed();
    const answer = await attempt(tenant, { identifier, secret, from: '192.0.2.77' });
    assertThrottled(answer);
    assert.equal(answer.headers['retry-after'], String(WINDOW_SECONDS));
    assert.equal(hashed(), hashedBefore, 'rejected before any hashing');
  });

  test('login_attempts_address_limit: beyond it one address is rejected, whatever identifiers it names', async () => {
    const tenant = await freshTenant({ login_attempts_limit: 2, login_attempts_address_limit: 3 });
    const { identifier, secret } = await registered(tenant);
    await useUp(tenant, () => ({}));
    assertThrottled(await attempt(tenant, { identifier, secret }));
    expectStatus(200, await attempt(tenant, { identifier, secret, from: '203.0.113.8' }));
  });

  test('Logins beyond the limit are rejected in the same way for an unknown identifier', async () => {
    const tenant = await freshTenant();
    const identifier = newIdentifier();
    await useUp(tenant, (index) => ({ identifier, from: `192.0.2.${index}` }));
    assertThrottled(await attempt(tenant, { identifier, from: '192.0.2.77' }));
  });

  test('Logins beyond the limit are rejected however the identifier is typed', async () => {
    const tenant = await freshTenant();
    const { identifier } = await registered(tenant);
    const spellings = [identifier, identifier.toUpperCase(), `U${identifier.slice(1)}`];
    await useUp(tenant, (index) => ({
      identifier: spellings[index] ?? '',
      from: `192.0.2.${index}`,
    }));
    assertThrottled(await attempt(tenant, { identifier, from: '192.0.2.77' }));
  });

  test('Logins beyond the limit are rejected until the window ends, and not a second longer', async () => {
    const tenant = await freshTenant();
    const { identifier, secret } = await registered(tenant);
    await useUp(tenant, (index) => ({ identifier, from: `192.0.2.${index}` }));
    keywright.clock.advance(WINDOW_SECONDS - 1.5);
    const answer = await attempt(tenant, { identifier, secret, from: '192.0.2.77' });
    assertThrottled(answer);
    assert.equal(answer.headers['retry-after'], '2', 'rounded up: waiting that long is enough');
    keywright.clock.advance(1.5);
    expectStatus(200, await attempt(tenant, { identifier, secret, from: '192.0.2.77' }));
  });

  test('Logins beyond the limit are rejected from any address of one IPv6 /64, and from no other', async () => {
    const tenant = await freshTenant({ login_attempts_address_limit: LIMIT });
    const network = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:DB8:1:2:3:4:5:6'];
    await useUp(tenant, (index) => ({ from: network[index] ?? '' }));
    assertThrottled(await attempt(tenant, { from: '2001:0db8:0001:0002::abcd' }));
    expectStatus(401, await attempt(tenant, { from: '2001:db8:1:3::1' }));
    expectStatus(401, await attempt(tenant, { from: '2001:db8::1:2' }));
  });

  test('Logins beyond the limit are rejected on every node, wherever the first ones were counted', async () => {
    const tenant = await freshTenant();
    const identifier = newIdentifier();
    await useUp(tenant, (index) => ({ identifier, from: `192.0.2.${index}`, node: index % 2 }));
    for (const node of [0, 1]) {
      assertThrottled(await attempt(tenant, { identifier, from: '192.0.2.77', node }));
    }
  });

  test('Logins beyond the limit of one tenant do not affect another', async () => {
    const [tenant, other] = [await freshTenant(), await freshTenant()];
    const identifier = newIdentifier();
    await useUp(tenant, () => ({ identifier }));
    assertThrottled(await attempt(tenant, { identifier }));
    expectStatus(401, await attempt(other, { identifier }));
  });
});

describe('a device that its user logged in from before', () => {
  /** A user with a known device, in a network where the wrong guesses of others have blocked the identifier. */
  async function lockedOut(config: Partial<TenantConfig> = {}) {
    const tenant = await freshTenant(config);
    const { identifier, secret } = await registered(tenant);
    const login = expectStatus(200, await attempt(tenant, { identifier, secret, from: HOME }));
    await useUp(tenant, (index) => ({ identifier, from: `203.0.113.${100 + index}` }));
    assertThrottled(await attempt(tenant, { identifier, secret }));
    return { tenant, identifier, secret, token: login.device_token };
  }

  test('A known device is accepted while wrong guesses of others close the identifier and the address', async () => {
    const { tenant, identifier, secret, token } = await lockedOut({
      login_attempts_address_limit: 4,
    });
    assertThrottled(await attempt(tenant, { identifier, secret, from: HOME }));
    for (let login = 0; login < 2 * LIMIT; login += 1) {
      expectStatus(200, await attempt(tenant, { identifier, secret, token, node: login % 2 }));
    }
    assertThrottled(await attempt(tenant, { identifier, secret }));
  });

  test('A known device has its own limited attempts', async () => {
    const { tenant, identifier, secret, token } = await lockedOut();
    const next = expectStatus(200, await attempt(tenant, { identifier, secret, token }));
    for (let guess = 0; guess < LIMIT; guess += 1) {
      expectStatus(401, await attempt(tenant, { identifier, token, from: `203.0.113.${guess}` }));
    }
    // A newer token belongs to the same device.
    for (const deviceToken of [token, next.device_token]) {
      assertThrottled(await attempt(tenant, { identifier, secret, token: deviceToken }));
    }
    keywright.clock.advance(WINDOW_SECONDS);
    expectStatus(200, await attempt(tenant, { identifier, secret, token }));
  });

  test('A device is known only for its user and tenant, by an intact token, for 90 days', async () => {
    const { tenant, identifier, secret, token } = await lockedOut({
      login_attempts_window: 86_400,
    });
    const other = await freshTenant();
    const stranger = await registered(tenant);
    const foreign = [
      expectStatus(200, await attempt(tenant, stranger)).device_token,
      expectStatus(200, await attempt(other, await registered(other))).device_token,
      `${token.slice(0, 60)}${token[60] === 'x' ? 'y' : 'x'}${token.slice(61)}`,
      `x${token.slice(1)}`,
      token.slice(0, 40),
      'A',
    ];
    for (const foreignToken of foreign) {
      assertThrottled(await attempt(tenant, { identifier, secret, token: foreignToken }));
    }
    expectStatus(200, await attempt(tenant, { identifier, secret, token }));
    keywright.clock.advance(90 * 86_400 - 3600);
    const late = expectStatus(200, await attempt(tenant, { identifier, secret, token }));
    keywright.clock.advance(3600);
    await useUp(tenant, (index) => ({ identifier, from: `203.0.113.${100 + index}` }));
    assertThrottled(await attempt(tenant, { identifier, secret, token }));
    const newer = late.device_token;
    expectStatus(200, await attempt(tenant, { identifier, secret, token: newer }));
  });

  test('A device is no longer known after the password was changed', async () => {
    const { tenant, identifier, secret, token } = await lockedOut();
    const { user } = expectStatus(200, await attempt(tenant, { identifier, secret, token }));
    const password = newPassword();
    const options = { token: await tenant.adminToken(), body: { password } };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
    assertThrottled(await attempt(tenant, { identifier, secret: password, token }));
  });
});

describe('registrations', () => {
  const register = (tenant: TestTenant, from: string, fields: Attempt = {}) =>
    attempt(tenant, { ...fields, from, register: true });

  test('registrations_address_limit: more from one address are rejected, successes included, and other addresses are unaffected', async () => {
    const tenant = await freshTenant({ login_attempts_limit: 100, registrations_address_limit: 4 });
    for (let index = 0; index < 4; index += 1) {
      expectStatus(200, await register(tenant, `2001:db8::${index}`));
    }
    const refused = await register(tenant, '2001:db8::f');
    assertThrottled(refused);
    assert.equal(refused.headers['retry-after'], '3600');
    assert.equal(refused.headers['ratelimit-policy'], '"address";q=4;w=3600');
    expectStatus(200, await register(tenant, '2001:db8:1::1'));
    keywright.clock.advance(3600);
    expectStatus(200, await register(tenant, '2001:db8::f'));
  });

  test('registrations_limit: more in a tenant are rejected from anywhere, and other tenants are unaffected', async () => {
    const [tenant, other] = [await freshTenant({ registrations_limit: 3 }), await freshTenant()];
    for (let index = 0; index < 3; index += 1) {
      expectStatus(200, await register(tenant, `192.0.2.${index}`));
    }
    assertThrottled(await register(tenant, '192.0.2.77'));
    expectStatus(200, await register(other, '192.0.2.77'));
  });

  test('Registrations at their limit do not disclose who has an account, and do not lock out its user', async () => {
    const tenant = await freshTenant({ login_attempts_limit: 100, registrations_address_limit: 3 });
    const existing = await registered(tenant);
    const hashed = () => keywright.nodes[0]?.passwords.computed ?? 0;
    for (let index = 0; index < 3; index += 1) expectStatus(200, await register(tenant, HOME));
    const atFirst = hashed();
    const ofUnknown = await register(tenant, HOME);
    const between = hashed();
    const ofExisting = await register(tenant, HOME, { identifier: existing.identifier });
    assertThrottled(ofUnknown);
    assert.equal(ofExisting.text, ofUnknown.text);
    assert.equal(ofExisting.headers['retry-after'], ofUnknown.headers['retry-after']);
    assert.equal(ofExisting.headers['ratelimit'], ofUnknown.headers['ratelimit']);
    assert.deepEqual([between - atFirst, hashed() - between], [1, 1]);
    expectStatus(200, await register(tenant, HOME, existing));
  });
});

/** The failed logins of a tenant: their reasons, entries and counts. */
async function auditedFailures(
  tenant: TestTenant,
): Promise<[reason: string, entries: number, count: number][]> {
  await keywright.nodes[0]?.notes.flush();
  const rows = await keywright.database.query<{ reason: string; entries: number; count: number }>(
    `SELECT details->>'reason' AS reason, count(*)::integer AS entries, sum(count)::integer AS count
       FROM audit_entries WHERE tenant_id = $1 AND action = 'auth.login_failed'
      GROUP BY details->>'reason' ORDER BY reason`,
    [tenant.id],
  );
  return rows.map(({ reason, entries, count }) => [reason, entries, count]);
}

test('All logins beyond the limit are one entry in the audit log, even with different identifiers', async () => {
  const tenant = await freshTenant({ login_attempts_address_limit: LIMIT });
  const other = await freshTenant();
  const identifier = newIdentifier();
  await useUp(tenant, () => ({ identifier, from: '2001:db8::1' }));
  const throttled = 60;
  for (let index = 0; index < throttled; index += 1) {
    const from = `2001:db8::${index.toString(16)}`;
    const named = index % 2 === 0 ? `a@domain-${index}.example` : `+49151${100_000 + index}`;
    assertThrottled(await attempt(tenant, { identifier: named, from }));
  }
  await attempt(other, { identifier, from: '2001:db8::1' });
  const [[, , unknown] = [], counted] = await auditedFailures(tenant);
  assert.equal(unknown, LIMIT);
  assert.deepEqual(counted, ['throttled', 1, throttled]);
  assert.deepEqual(await auditedFailures(other), [['identifier_unknown', 1, 1]]);
});

/** Keeps the queue full of hashes of this share. */
async function whileHashesWait(passwords: PasswordHasher, share: Share, work: () => Promise<void>) {
  const over = new AbortController();
  const keepHashing = async () => {
    while (!over.signal.aborted) await passwords.verify(undefined, 'a secret', share);
  };
  const hashes = Array.from(
    { length: availableParallelism() * (1 + WAITING_PER_WORKER) },
    keepHashing,
  );
  await work().finally(() => over.abort());
  await Promise.all(hashes);
}

test('A login that is rejected because the queue is full runs no statement and is not counted', async () => {
  const tenant = await freshTenant();
  const { identifier, secret } = await registered(tenant);
  const { passwords } = keywright.nodes[0] ?? assert.fail();
  const statements = watchStatements();
  const share = { flow: tenant.id, source: HOME };
  await whileHashesWait(passwords, share, async () => {
    for (let index = 0; index < 3 * LIMIT; index += 1) {
      const answer = await attempt(tenant, { identifier, secret });
      assert.equal(`${answer.status} ${answer.body.code}`, '429 TOO_BUSY');
      assert.equal(answer.headers['retry-after'], '1');
    }
  }).finally(() => statements.stop());
  // The tenant of a request is looked up again after a second.
  const sent = statements.sent.filter((name) => name !== 'kw_load_tenant_and_providers');
  assert.deepEqual(sent, []);
  expectStatus(200, await attempt(tenant, { identifier, secret }));
});

test('A successful login is not counted', async () => {
  const tenant = await freshTenant();
  const { identifier, secret } = await registered(tenant);
  for (let login = 0; login < 3 * LIMIT; login += 1) {
    expectStatus(200, await attempt(tenant, { identifier, secret }));
  }
  // It also does not reset earlier failures.
  for (let failure = 1; failure < LIMIT; failure += 1) {
    expectStatus(401, await attempt(tenant, { identifier }));
  }
  expectStatus(200, await attempt(tenant, { identifier, secret }));
  expectStatus(401, await attempt(tenant, { identifier }));
  assertThrottled(await attempt(tenant, { identifier, secret }));
});

test('The default limit of login attempts is 10 in 300 seconds', async () => {
  tenants += 1;
  const tenant = await keywright.tenant(`throttle-${tenants}`);
  const identifier = newIdentifier();
  for (let index = 0; index < 10; index += 1) {
    expectStatus(401, await attempt(tenant, { identifier, from: `192.0.2.${index}` }));
  }
  const answer = await attempt(tenant, { identifier, from: '192.0.2.77' });
  assertThrottled(answer);
  assert.equal(answer.headers['retry-after'], '300');
});

test('The counts of attempts survive a restart of the service', async () => {
  const database = await createDatabase();
  const clock = fakeClock();
  const config = readConfig({
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_DATABASE_URL: database.url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_LOG_LEVEL: 'silent',
  });
  const identifier = newIdentifier();
  const statuses: number[] = [];
  for (const attempts of [6, 5]) {
    const running = await start({ config, clock });
    const http = httpClient(running.url);
    for (let index = 0; index < attempts; index += 1) {
      const body = { identifier, secret: newPassword() };
      statuses.push((await http.request('POST', '/auth/login', { body })).status);
    }
    http.close();
    await running.close();
  }
  await database.drop();
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429]);
});
