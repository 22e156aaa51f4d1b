import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { newClient, refreshWith, UserBrowser } from '@keywright/tests/harness/code-login';
import { Fapi2Party, errorOf } from '@keywright/tests/harness/fapi2-party';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import { watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { alteredToken, claimsOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';

const FIXED = { refresh_token_policy: 'fixed', dpop_bound_access_tokens: true };
const SCOPE = 'openid email offline_access read:users';
const REFUSED = '400 invalid_grant';
/** The lifetimes of the tenant. */
const SLIDING_SECONDS = 3600;
const ABSOLUTE_SECONDS = 9000;

let keywright: Keywright;
let tenant: TestTenant;
let party: Fapi2Party;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('fixed', {
    config: {
      refresh_token_ttl: SLIDING_SECONDS,
      refresh_token_absolute_ttl: ABSOLUTE_SECONDS,
      browser_session_idle_ttl: 86_400,
      browser_session_ttl: 86_400,
    },
  });
  party = await register();
});
after(() => keywright.close());

function register(fields: object = {}): Promise<Fapi2Party> {
  const scopes = SCOPE.split(' ');
  const signing = { token_endpoint_auth_method: 'private_key_jwt' };
  return Fapi2Party.register({ keywright, tenant }, { ...signing, scopes, ...FIXED, ...fields });
}

interface IssuedToken {
  readonly user: TestUser;
  readonly browser: UserBrowser;
  readonly token: string;
  readonly sessionId: string;
}

async function newToken(of = party, scope = SCOPE): Promise<IssuedToken> {
  const user = await tenant.createUser({ roles: ['admin'] });
  const browser = of.browser(user);
  const { refresh_token: token = '', access_token } = await of.tokens(browser, { scope });
  return { user, browser, token, sessionId: String(claimsOf(access_token)['sid']) };
}

async function asAdmin(method: string, path: string, body?: object) {
  const token = await tenant.adminToken();
  const answer = await tenant.request<ErrorBody>(method, path, { token, ...(body && { body }) });
  return expectStatus(method === 'POST' ? 201 : 200, answer);
}

async function rowOf(id: string): Promise<unknown> {
  const [row] = await keywright.database.query('SELECT * FROM sessions WHERE id = $1', [id]);
  return row;
}

describe('refresh_token_policy: fixed', () => {
  test('A fixed refresh token is returned unchanged, at every node and on every use, and nothing of the session is written', async () => {
    const { token, sessionId } = await newToken();
    const row = await rowOf(sessionId);
    expectStatus(200, await party.refresh(token));
    const statements = watchStatements();
    const answers = await parallel(20, () => party.refresh(token));
    const { sent } = statements;
    statements.stop();
    for (const answer of answers) {
      const { refresh_token: next, access_token } = expectStatus(200, answer);
      assert.equal(next, token);
      assert.deepEqual(claimsOf(access_token)['cnf'], { jkt: party.dpopKey.jkt });
    }
    assert.deepEqual(
      sent.filter((name) => /kw_refresh|update/i.test(name)),
      [],
    );
    assert.deepEqual(await rowOf(sessionId), row);
    const access = answers.map(({ body }) => claimsOf(body.access_token)['jti']);
    assert.equal(new Set(access).size, 20);
  });

  test('A fixed refresh token narrows an access token to a part of what was granted, and never widens it', async () => {
    const { token } = await newToken(party, 'openid offline_access read:users');
    const narrow = expectStatus(200, await party.refresh(token, { scope: 'openid' }));
    assert.equal(narrow.scope, 'openid');
    const wide = await party.refresh(token, { scope: 'openid email' });
    assert.equal(errorOf(wide), '400 invalid_scope');
    const again = expectStatus(200, await party.refresh(token));
    assert.equal(again.scope, 'openid offline_access read:users');
  });

  test('A fixed refresh token binds each access token to the key that is proven with the refresh (RFC 9449 §5)', async () => {
    const { token } = await newToken();
    const { dpopKey } = await register();
    const next = expectStatus(200, await party.refresh(token, {}, { dpopKey }));
    assert.equal(next.refresh_token, token);
    assert.deepEqual(claimsOf(next.access_token)['cnf'], { jkt: dpopKey.jkt });
  });

  test('A fixed refresh token gives access tokens with the current permissions of the user', async () => {
    const { token, user } = await newToken();
    assert.deepEqual(claimsOf((await party.refresh(token)).body.access_token)['scopes'], [
      'read:users',
    ]);
    await asAdmin('PATCH', `/users/${user.user.id}`, { roles: ['member'] });
    const now = expectStatus(200, await party.refresh(token));
    assert.deepEqual(claimsOf(now.access_token)['scopes'], []);
  });

  test('A fixed refresh token lasts as long as the session can, since its last use is not recorded', async () => {
    const { token } = await newToken();
    keywright.clock.advance(ABSOLUTE_SECONDS - 1);
    expectStatus(200, await party.refresh(token));
    keywright.clock.advance(1);
    assert.equal(errorOf(await party.refresh(token)), REFUSED);
  });

  test('A fixed refresh token has no effect for another client, and none when it is forged', async () => {
    const other = await register();
    const { token, sessionId } = await newToken();
    const row = await rowOf(sessionId);
    assert.equal(errorOf(await other.refresh(token)), REFUSED);
    assert.equal(errorOf(await other.refresh(token, {}, { dpopKey: party.dpopKey })), REFUSED);
    const forged = alteredToken(token, (claims) => ({ ...claims, scope: `${SCOPE} write:users` }));
    assert.equal(errorOf(await party.refresh(forged)), REFUSED);
    assert.deepEqual(await rowOf(sessionId), row);
    expectStatus(200, await party.refresh(token));
  });
});

/** What ends a session, or all sessions of a user. */
const ENDS: Readonly<Record<string, (issued: IssuedToken) => Promise<unknown>>> = {
  'its session was revoked': ({ sessionId }) => asAdmin('DELETE', `/sessions/${sessionId}`),
  'the user was deactivated': ({ user }) =>
    asAdmin('PATCH', `/users/${user.user.id}`, { is_active: false }),
  'the client revoked it': ({ token }) => revoke(token),
  'the consent was taken back': async ({ user }) => {
    const token = await tenant.adminToken();
    const path = `/consents?user_id=${user.user.id}`;
    const { items } = expectStatus(
      200,
      await tenant.request<{ items: { id: string }[] }>('GET', path, { token }),
    );
    return asAdmin('DELETE', `/consents/${items[0]?.id}`);
  },
};

async function revoke(token: string): Promise<void> {
  const path = `/t/${tenant.id}/oauth/revoke`;
  const proof = {
    client_assertion: await party.assertion(),
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  };
  const answer = await tenant.request('POST', path, {
    rawBody: new URLSearchParams({ ...proof, token }).toString(),
    contentType: 'application/x-www-form-urlencoded',
  });
  expectStatus(200, answer);
}

describe('a fixed refresh token is refused at its next use', () => {
  for (const [when, end] of Object.entries(ENDS)) {
    test(`A fixed refresh token is refused at its next use when ${when}`, async () => {
      const issued = await newToken();
      expectStatus(200, await party.refresh(issued.token));
      await end(issued);
      assert.equal(errorOf(await party.refresh(issued.token)), REFUSED);
    });
  }

  test('A fixed refresh token without offline_access is refused at its next use when the browser session ended', async () => {
    const registered = await register({ first_party: true });
    const user = await tenant.createUser({ roles: ['admin'] });
    const browser = registered.browser(user);
    const online = await registered.tokens(browser, { scope: 'openid read:users' });
    const offline = await registered.tokens(browser, { scope: 'openid offline_access' });
    expectStatus(200, await registered.refresh(online.refresh_token));
    await keywright.database.query(
      `UPDATE sessions SET expires_at = created_at WHERE kind = 'browser' AND user_id = $1`,
      [user.user.id],
    );
    assert.equal(errorOf(await registered.refresh(online.refresh_token)), REFUSED);
    expectStatus(200, await registered.refresh(offline.refresh_token));
  });

  test('A fixed refresh token is refused at its next use while its client is inactive', async () => {
    const registered = await register();
    const { token } = await newToken(registered);
    const path = `/clients/${registered.client.id}`;
    await asAdmin('PATCH', path, { is_active: false });
    assert.equal(errorOf(await registered.refresh(token)), '401 invalid_client');
    await asAdmin('PATCH', path, { is_active: true });
    expectStatus(200, await registered.refresh(token));
  });
});

describe('refresh_token_policy', () => {
  test('A fixed refresh_token_policy is only for confidential clients with bound tokens', async () => {
    const token = await tenant.adminToken();
    const create = async (fields: object) => {
      const redirect_uris = ['https://app.example.com/callback'];
      const body = { name: 'App', kind: 'web', redirect_uris, ...fields };
      const answer = await tenant.request<ErrorBody>('POST', '/clients', { token, body });
      return [answer.status, answer.body.errors?.map(({ path }) => path)];
    };
    const refused = [400, ['/refresh_token_policy']];
    assert.deepEqual(await create({ refresh_token_policy: 'fixed' }), refused);
    assert.deepEqual(await create({ ...FIXED, kind: 'spa' }), refused);
    assert.deepEqual(await create(FIXED), [201, undefined]);
  });

  test('A change to the fixed policy keeps the current refresh token, and reuse of an earlier one ends the session', async () => {
    const registered = await register({ refresh_token_policy: 'rotate' });
    const { token: first, sessionId } = await newToken(registered);
    const { refresh_token: second = '' } = expectStatus(200, await registered.refresh(first));
    assert.notEqual(second, first);
    await asAdmin('PATCH', `/clients/${registered.client.id}`, { refresh_token_policy: 'fixed' });
    await until('it is fixed', async () => {
      const { refresh_token: next } = expectStatus(200, await registered.refresh(second));
      return next === second;
    });
    keywright.clock.advance(60);
    assert.equal(errorOf(await registered.refresh(first)), REFUSED);
    assert.equal(errorOf(await registered.refresh(second)), REFUSED);
    const row = (await rowOf(sessionId)) as { readonly end_reason: string };
    assert.equal(row.end_reason, 'refresh_token_reused');
  });

  test('A refresh token that no key is bound to is rotated under the rotate policy', async () => {
    const client = await newClient(tenant, { first_party: true });
    const user = await tenant.createUser();
    const browser = new UserBrowser(tenant, `https://id.example.com/t/${tenant.id}`, user);
    const { refresh_token: token } = await browser.tokensFor(client, {
      scope: 'openid offline_access',
    });
    await asAdmin('PATCH', `/clients/${client.id}`, { refresh_token_policy: 'rotate' });
    const next = expectStatus(200, await refreshWith(tenant, client, token));
    assert.notEqual(next.refresh_token, token);
  });
});
