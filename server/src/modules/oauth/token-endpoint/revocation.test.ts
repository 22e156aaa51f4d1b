import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { UserBrowser, newClient, proofOf, refreshWith } from '@keywright/tests/harness/code-login';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { RequestToNode, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { oauthError } from '@keywright/tests/harness/token-endpoint';

const SCOPE = { scope: 'openid offline_access' };

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;
let browser: UserBrowser;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  tenant = await keywright.tenant('revocation');
  user = await tenant.createUser();
  client = await newClient(tenant);
  browser = browserOf(tenant, user);
});
after(() => keywright.close());

function browserOf(of: TestTenant, who: TestUser): UserBrowser {
  return new UserBrowser(of, `${keywright.nodes[0]?.baseUrl}/t/${of.id}`, who);
}

function revoke(
  parameters: Readonly<Record<string, string | undefined>>,
  options: RequestToNode = {},
): Promise<Answer<OAuthErrorBody>> {
  const fields = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return tenant.request('POST', `/t/${tenant.id}/oauth/revoke`, {
    rawBody: new URLSearchParams(fields).toString(),
    contentType: 'application/x-www-form-urlencoded',
    ...options,
  });
}

async function assertGone(answer: Answer<unknown>): Promise<void> {
  assert.deepEqual([answer.status, answer.text], [200, '{}']);
}

const userinfo = (token: string, node = 0) =>
  tenant.request('GET', '/oauth/userinfo', { token, node });

describe('revoking a token of an application', () => {
  for (const name of ['refresh_token', 'access_token'] as const) {
    test(`Revoking either token ends its session on every node: the ${name} (RFC 7009 §2)`, async () => {
      const tokens = await browser.tokensFor(client, SCOPE);
      for (const node of [0, 1])
        assert.equal((await userinfo(tokens.access_token, node)).status, 200);
      await assertGone(await revoke({ token: tokens[name], ...proofOf(client) }));
      for (const node of [0, 1])
        assert.equal((await userinfo(tokens.access_token, node)).status, 401);
      const refused = await refreshWith(tenant, client, tokens.refresh_token);
      assert.equal(oauthError(refused), '400 invalid_grant GRANT_INVALID');
      await assertGone(await revoke({ token: tokens[name], ...proofOf(client) }));
    });
  }

  test('Revoking also works with a refresh token that was used before, and with any hint', async () => {
    const tokens = await browser.tokensFor(client, SCOPE);
    const next = expectStatus(200, await refreshWith(tenant, client, tokens.refresh_token));
    const last = expectStatus(200, await refreshWith(tenant, client, next.refresh_token));
    const parameters = { token: tokens.refresh_token, token_type_hint: 'access_token' };
    await assertGone(await revoke({ ...parameters, ...proofOf(client) }));
    assert.equal((await userinfo(last.access_token)).status, 401);
  });

  test('Revoking a token does not end other sessions, nor the login of the browser', async () => {
    const [first, other] = [
      await browser.tokensFor(client, SCOPE),
      await browser.tokensFor(client, SCOPE),
    ];
    await assertGone(await revoke({ token: first.refresh_token, ...proofOf(client) }));
    assert.equal((await userinfo(other.access_token)).status, 200);
    expectStatus(200, await refreshWith(tenant, client, other.refresh_token));
  });

  test('Revoking a token is recorded as an action of the application, with the event of any end of a session', async () => {
    const tokens = await browser.tokensFor(client, SCOPE);
    await revoke({ token: tokens.refresh_token, ...proofOf(client) });
    const token = await tenant.adminToken();
    const path = '/audit?action=session.revoked&limit=1';
    const log = await tenant.request<{ items: AuditEntry[] }>('GET', path, { token });
    const [entry] = expectStatus(200, log).items;
    const { kind, id, on_behalf_of } = entry?.actor ?? {};
    assert.deepEqual([kind, id, on_behalf_of], ['app', client.id, user.user.id]);
    assert.equal(entry?.details['reason'], 'revoked');
  });

  test('The revocation endpoint is open to scripts of any origin, and to clients with Basic authentication', async () => {
    const tokens = await browser.tokensFor(client, SCOPE);
    const basic = Buffer.from(`${client.id}:${client.client_secret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}`, origin: 'https://app.example.com' };
    const answer = await revoke({ token: tokens.refresh_token }, { headers });
    await assertGone(answer);
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
    assert.equal((await userinfo(tokens.access_token)).status, 401);
  });
});

describe('revoking a text that is not a token of the client', () => {
  test('A token of another client or of a direct login is not revoked, and is an error (RFC 7009 §2.1)', async () => {
    const tokens = await browser.tokensFor(client, SCOPE);
    const other = await newClient(tenant, { kind: 'spa', token_endpoint_auth_method: 'none' });
    for (const token of [
      tokens.refresh_token,
      tokens.access_token,
      user.token,
      user.refreshToken,
    ]) {
      const answer = await revoke({ token, ...proofOf(other) });
      assert.equal(oauthError(answer as never), '400 unauthorized_client CLIENT_UNAUTHORIZED');
    }
    assert.equal((await userinfo(tokens.access_token)).status, 200);
    expectStatus(200, await tenant.request('GET', '/me', { token: user.token }));
    expectStatus(200, await refreshWith(tenant, client, tokens.refresh_token));
  });

  test('An unknown text is not an error: forged, of another tenant, or nothing like a token (RFC 7009 §2.2)', async () => {
    const tokens = await browser.tokensFor(client, SCOPE);
    const elsewhere = await keywright.tenant('revocation-elsewhere');
    const stranger = await newClient(elsewhere);
    const theirs = await browserOf(elsewhere, await elsewhere.createUser()).tokensFor(
      stranger,
      SCOPE,
    );
    const damaged = (token = '') => `${token.slice(0, -4)}AAAA`;
    const unknown = [
      'x',
      damaged(tokens.refresh_token),
      damaged(tokens.access_token),
      theirs.refresh_token,
      theirs.access_token,
    ];
    for (const token of unknown) await assertGone(await revoke({ token, ...proofOf(client) }));
    assert.equal((await userinfo(tokens.access_token)).status, 200);
    const path = `/t/${elsewhere.id}/oauth/userinfo`;
    const alive = await elsewhere.request('GET', path, { token: theirs.access_token });
    assert.equal(alive.status, 200);
  });

  test('A text is not read without the authentication of the client', async () => {
    const { refresh_token: token } = await browser.tokensFor(client, SCOPE);
    const refused = '401 invalid_client CLIENT_INVALID';
    for (const proof of [
      {},
      { client_id: client.id },
      { ...proofOf(client), client_secret: 'x' },
    ]) {
      assert.equal(oauthError((await revoke({ token, ...proof })) as never), refused);
    }
    assert.equal((await revoke(proofOf(client))).body.error, 'invalid_request');
    expectStatus(200, await refreshWith(tenant, client, token));
  });
});
