import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { CreatedTotp, FactorRecord } from '@keywright/contract/records/factor';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { entriesOf, eventsFrom } from '@keywright/tests/harness/journal';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { addTotp, enrollTotp, totpOf } from '@keywright/tests/harness/totp';

const HOUR = 3600;
const PERIOD = 30;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('factors', { config: { login_attempts_limit: 1000 } });
});

after(() => keywright.close());

type Reply = Answer<JsonBody & ErrorBody>;

function send(method: string, path: string, token: string, body?: object): Promise<Reply> {
  return tenant.request(method, path, { token, ...(body && { body }) });
}

function logIn(user: TestUser): Promise<Answer<TokenAnswer & ErrorBody>> {
  const body = { identifier: user.identifier, secret: user.password };
  return tenant.request('POST', '/auth/login', { body });
}

async function factorsOf(token: string): Promise<FactorRecord[]> {
  const list = await tenant.request<{ items: FactorRecord[] }>('GET', '/me/factors', { token });
  return expectStatus(200, list).items;
}

function refused(answer: Reply, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

/** A token of the user's session, as if it had a second factor. */
async function stepUp({ user, refreshToken }: TestUser): Promise<string> {
  const set = "UPDATE sessions SET acr = 'aal2' WHERE user_id = $1";
  await keywright.database.query(set, [user.id]);
  const body = { refresh_token: refreshToken };
  const answer = await tenant.request<TokenAnswer>('POST', '/auth/refresh', { body });
  return expectStatus(200, answer).access_token;
}

const now = () => keywright.clock.now();

describe('an authenticator', () => {
  test('An authenticator is added with a secret and a URI, which are shown once', async () => {
    const { token, identifier } = await tenant.createUser();
    const path = '/me/factors/totp';
    const answer = await tenant.request<CreatedTotp>('POST', path, { token, body: { name: 'A' } });
    const { secret, uri, ...factor } = expectStatus(201, answer);
    assert.match(secret, /^[A-Z2-7]{32}$/);
    const url = new URL(uri);
    assert.equal(`${url.protocol}//${url.host}`, 'otpauth://totp');
    assert.ok(decodeURIComponent(url.pathname).endsWith(`:${identifier}`), uri);
    assert.equal(url.searchParams.get('secret'), secret);
    assert.deepEqual(await factorsOf(token), [factor]);
    assert.deepEqual([factor.name, factor.confirmed_at], ['A', null]);
  });

  test('An authenticator has no effect until one of its codes confirms it; then logins require it', async () => {
    const user = await tenant.createUser();
    const added = await addTotp(tenant, user.token);
    expectStatus(200, await logIn(user));
    const { factor, codes } = await enrollTotp(tenant, user.token, keywright.clock);
    assert.equal(factor.confirmed_at, now().toISOString());
    assert.equal(codes.length, 10);
    assert.equal(new Set(codes).size, 10);
    for (const code of codes)
      assert.match(code, /^([0-9a-hjkmnp-tv-z]{6}-){3}[0-9a-hjkmnp-tv-z]{6}$/);
    refused(await logIn(user), 401, 'MFA_REQUIRED');
    const factors = await factorsOf(user.token);
    const types = factors.map(({ type }) => type).toSorted();
    assert.deepEqual(types, ['recovery_codes', 'totp', 'totp']);
    assert.equal(factors.find(({ id }) => id === added.factor.id)?.confirmed_at, null);
  });

  test('An authenticator is not confirmed by a wrong code, or by one of another time or authenticator', async () => {
    const { token } = await tenant.createUser();
    const [authenticator, other] = [await addTotp(tenant, token), await addTotp(tenant, token)];
    const path = `/me/factors/totp/${authenticator.factor.id}/confirm`;
    const at = (seconds: number) => new Date(now().getTime() + seconds * 1000);
    const wrong = [
      totpOf(other.secret, now()),
      totpOf(authenticator.secret, at(-2 * PERIOD)),
      totpOf(authenticator.secret, at(2 * PERIOD)),
    ];
    for (const code of wrong) refused(await send('POST', path, token, { code }), 400, 'CODE_WRONG');
    for (const code of ['12345', '1234567', '١٢٣٤٥٦', ' 12345', '12 345', 123456, ['123456']]) {
      refused(await send('POST', path, token, { code }), 400, 'VALIDATION_FAILED');
    }
    expectStatus(
      200,
      await send('POST', path, token, { code: totpOf(authenticator.secret, at(-PERIOD)) }),
    );
  });

  test('An authenticator is confirmed once', async () => {
    const { token } = await tenant.createUser();
    const { secret, factor } = await enrollTotp(tenant, token, keywright.clock);
    const path = `/me/factors/totp/${factor.id}/confirm`;
    refused(await send('POST', path, token, { code: totpOf(secret, now()) }), 404, 'NOT_FOUND');
  });

  test('An unconfirmed authenticator allows 20 guesses an hour, over all authenticators of the user', async () => {
    const { token } = await tenant.createUser();
    for (let count = 0; count < 20; count += 1) {
      const { factor } = count % 10 === 0 ? await addTotp(tenant, token) : { factor: undefined };
      const id = factor?.id ?? (await factorsOf(token))[0]?.id;
      const answer = await send('POST', `/me/factors/totp/${id}/confirm`, token, {
        code: '000000',
      });
      refused(answer, 400, 'CODE_WRONG');
    }
    const { factor, secret } = await addTotp(tenant, token);
    const path = `/me/factors/totp/${factor.id}/confirm`;
    const body = { code: totpOf(secret, now()) };
    refused(await send('POST', path, token, body), 429, 'TOO_MANY_ATTEMPTS');
  });

  test('An authenticator expires after an hour unless it is confirmed', async () => {
    const user = await tenant.createUser();
    const { factor, secret } = await addTotp(tenant, user.token);
    keywright.clock.advance(HOUR);
    const { access_token: token } = expectStatus(200, await logIn(user));
    assert.deepEqual(await factorsOf(token), []);
    const path = `/me/factors/totp/${factor.id}/confirm`;
    refused(await send('POST', path, token, { code: totpOf(secret, now()) }), 404, 'NOT_FOUND');
  });

  test('A user has at most 20 factors', async () => {
    const { token } = await tenant.createUser();
    for (let count = 0; count < 20; count += 1) await addTotp(tenant, token);
    refused(await send('POST', '/me/factors/totp', token, {}), 400, 'TOO_MANY_FACTORS');
  });

  test('An authenticator can be renamed only by its user', async () => {
    const [user, other] = [await tenant.createUser(), await tenant.createUser()];
    const { factor } = await addTotp(tenant, user.token);
    const path = `/me/factors/${factor.id}`;
    const body = { name: 'Phone' };
    assert.equal(expectStatus(200, await send('PATCH', path, user.token, body))['name'], 'Phone');
    refused(await send('PATCH', path, other.token, body), 404, 'NOT_FOUND');
    refused(await send('DELETE', path, other.token), 404, 'NOT_FOUND');
  });

  test('The recovery codes are removed with the last authenticator', async () => {
    const user = await tenant.createUser();
    const authenticator = await enrollTotp(tenant, user.token, keywright.clock);
    const token = await stepUp(user);
    const other = await enrollTotp(tenant, token, keywright.clock);
    assert.deepEqual(other.codes, []);
    const remove = ({ factor }: typeof authenticator) =>
      send('DELETE', `/me/factors/${factor.id}`, token);
    expectStatus(200, await remove(authenticator));
    refused(await logIn(user), 401, 'MFA_REQUIRED');
    expectStatus(200, await remove(other));
    assert.deepEqual(await factorsOf(user.token), []);
    expectStatus(200, await logIn(user));
  });
});

describe('recovery codes', () => {
  test('New recovery codes replace all previous ones', async () => {
    const user = await tenant.createUser();
    const { codes } = await enrollTotp(tenant, user.token, keywright.clock);
    const token = await stepUp(user);
    const answer = await send('POST', '/me/factors/recovery-codes', token);
    const next = expectStatus(201, answer)['recovery_codes'] as string[];
    assert.equal(next.length, 10);
    assert.equal(new Set([...next, ...codes]).size, 20);
    assert.equal((await factorsOf(token)).length, 2);
  });

  test('A user without an authenticator gets no recovery codes', async () => {
    const { token } = await tenant.createUser();
    await addTotp(tenant, token);
    refused(await send('POST', '/me/factors/recovery-codes', token), 400, 'FACTOR_MISSING');
  });
});

describe('an administrator', () => {
  test('An administrator lists and removes the factors of a user', async () => {
    const user = await tenant.createUser();
    const { factor } = await enrollTotp(tenant, user.token, keywright.clock);
    const admin = await tenant.adminToken();
    const path = `/users/${user.user.id}/factors`;
    const { items } = expectStatus(200, await send('GET', path, admin));
    assert.deepEqual(items, await factorsOf(user.token));
    expectStatus(200, await send('DELETE', `${path}/${factor.id}`, admin));
    expectStatus(200, await logIn(user));
    refused(await send('DELETE', `${path}/${factor.id}`, admin), 404, 'NOT_FOUND');
  });

  test('An administrator cannot remove factors of a user who holds more scopes, of another user, or their own', async () => {
    const editor = { name: 'factor_editor', scopes: ['write:users'] };
    expectStatus(201, await send('POST', '/roles', await tenant.adminToken(), editor));
    const helper = await tenant.createUser({ roles: [editor.name] });
    const [admin, user] = [
      await tenant.createUser({ roles: ['admin'] }),
      await tenant.createUser(),
    ];
    const { factor } = await addTotp(tenant, admin.token);
    const remove = (userId: string, factorId: string, token: string) =>
      send('DELETE', `/users/${userId}/factors/${factorId}`, token);
    refused(await remove(admin.user.id, factor.id, helper.token), 403, 'SCOPE_NOT_HELD');
    refused(await remove(user.user.id, factor.id, helper.token), 404, 'NOT_FOUND');
    refused(await remove(admin.user.id, factor.id, admin.token), 400, 'VALIDATION_FAILED');
  });
});

describe('each change', () => {
  test('A change of factors invalidates logins that were decided before it', async () => {
    const made = await tenant.createUser();
    const { token, user } = made;
    const version = async () => {
      const [row] = await keywright.database.query<{ auth_version: number }>(
        'SELECT auth_version FROM users WHERE id = $1',
        [user.id],
      );
      return row?.auth_version;
    };
    await addTotp(tenant, token);
    assert.equal(await version(), 0);
    const { factor } = await enrollTotp(tenant, token, keywright.clock);
    assert.equal(await version(), 1);
    const strong = await stepUp(made);
    expectStatus(201, await send('POST', '/me/factors/recovery-codes', strong));
    assert.equal(await version(), 2);
    expectStatus(200, await send('DELETE', `/me/factors/${factor.id}`, strong));
    assert.equal(await version(), 3);
  });

  test('A change of factors is recorded, and emits an event', async () => {
    const made = await tenant.createUser();
    const { token, user } = made;
    const events = await eventsFrom(tenant, async () => {
      const { factor } = await enrollTotp(tenant, token, keywright.clock);
      expectStatus(200, await send('DELETE', `/me/factors/${factor.id}`, await stepUp(made)));
    });
    const ofFactors = (names: readonly string[]) =>
      names.filter((name) => name.startsWith('factor.')).toSorted();
    const types = ['factor.added', 'factor.added', 'factor.removed', 'factor.removed'];
    const about = events.filter(({ data }) => data['user_id'] === user.id);
    assert.deepEqual(ofFactors(about.map(({ type }) => type)), types);
    const entries = await entriesOf(tenant, { actor: user.id });
    assert.deepEqual(ofFactors(entries.map(({ action }) => action)), [
      'factor.added',
      'factor.added',
      'factor.begun',
      ...types.slice(2),
    ]);
  });
});

describe('a change of factors', () => {
  const challenged = (answer: Reply, acr: string, maxAge = '') => {
    refused(answer, 401, 'STEP_UP_REQUIRED');
    const error = 'Bearer error="insufficient_user_authentication"';
    const lacks = `${acr === '' ? '' : `, acr_values="${acr}"`}${maxAge}`;
    assert.equal(answer.headers['www-authenticate'], `${error}${lacks}`);
  };
  const changes = (id: string): readonly (readonly [string, string, object?])[] => [
    ['POST', '/me/factors/totp', {}],
    ['POST', `/me/factors/totp/${id}/confirm`, { code: '000000' }],
    ['DELETE', `/me/factors/${id}`],
    ['POST', '/me/factors/recovery-codes'],
    ['DELETE', `/users/${id}/factors/${id}`],
  ];

  test('step_up_max_age: a change of factors requires a login of the last five minutes, or of the time that the tenant sets', async () => {
    const { token } = await tenant.createUser({ roles: ['admin'] });
    const { factor } = await addTotp(tenant, token);
    keywright.clock.advance(301);
    for (const [method, path, body] of changes(factor.id)) {
      challenged(await send(method, path, token, body), '', ', max_age=300');
    }
    expectStatus(200, await send('GET', '/me/factors', token));
    const body = { config: { step_up_max_age: 400 } };
    const admin = await tenant.adminToken();
    expectStatus(200, await send('PATCH', `/tenants/${tenant.id}`, admin, body));
    expectStatus(200, await send('DELETE', `/me/factors/${factor.id}`, token));
    const reset = { config: { step_up_max_age: null } };
    expectStatus(200, await send('PATCH', `/tenants/${tenant.id}`, admin, reset));
  });

  test('A change of factors requires a login with the second factor of a user who has one', async () => {
    const user = await tenant.createUser();
    const { factor } = await enrollTotp(tenant, user.token, keywright.clock);
    for (const [method, path, body] of changes(factor.id)) {
      if (path.endsWith('/confirm') || path.startsWith('/users')) continue;
      challenged(await send(method, path, user.token, body), 'aal2');
    }
    assert.equal((await factorsOf(user.token)).length, 2);
    expectStatus(201, await send('POST', '/me/factors/totp', await stepUp(user), {}));
  });
});

test('Secrets of factors are never stored in clear text', async () => {
  const { token } = await tenant.createUser();
  const { secret, codes } = await enrollTotp(tenant, token, keywright.clock);
  const rows = await keywright.database.query<{ text: string }>(
    'SELECT user_factors::text AS text FROM user_factors',
  );
  const stored = rows.map(({ text }) => text).join('\n');
  for (const value of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
    assert.ok(!stored.includes(value));
    assert.ok(!stored.includes(Buffer.from(value).toString('hex')));
  }
});
