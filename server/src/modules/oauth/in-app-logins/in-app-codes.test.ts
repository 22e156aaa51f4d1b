// What the code of an in-app login grants, and what such a login does not disclose.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { refreshWith } from '@keywright/tests/harness/code-login';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { newDpopKey } from '@keywright/tests/harness/dpop';
import { expectStatus } from '@keywright/tests/harness/http';
import { InApp, newInAppClient } from '@keywright/tests/harness/in-app';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, payloadOf } from '@keywright/tests/harness/token';

const METHODS = ['password', 'magic_link'] as const;

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let client: CreatedOAuthClient;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  const config = { allowed_login_methods: [...METHODS] };
  tenant = await keywright.tenant('in-app-codes', { config });
  client = await newInAppClient(tenant);
});
after(async () => {
  await keywright.close();
  await sink.close();
});

const app = () => new InApp(tenant, client);

describe('the tokens of a login inside an application', () => {
  async function tokensOf(more: Readonly<Record<string, string>> = {}) {
    const user = await tenant.createUser();
    const login = app();
    const { identifier: login_hint, password } = user;
    return {
      user,
      tokens: await login.tokensFor(await login.start({ login_hint, password, ...more })),
    };
  }

  test('A session of a login inside an application is refreshed, introspected and revoked as any other', async () => {
    const { tokens } = await tokensOf({ scope: 'openid offline_access' });
    const refreshed = expectStatus(200, await refreshWith(tenant, client, tokens.refresh_token));
    const userinfo = () =>
      tenant.request('GET', '/oauth/userinfo', { token: refreshed.access_token });
    assert.equal((await userinfo()).status, 200);
    const body = { client_id: client.id, token: refreshed.refresh_token };
    expectStatus(200, await tenant.request('POST', '/oauth/revoke', { body }));
    assert.equal((await userinfo()).status, 401);
    const again = await refreshWith(tenant, client, refreshed.refresh_token);
    assert.equal(again.body.error, 'invalid_grant');
  });

  test('A session of a login inside an application ends with the sessions of its user', async () => {
    const { user, tokens } = await tokensOf({ scope: 'openid offline_access' });
    const path = `/sessions?user_id=${user.user.id}`;
    expectStatus(200, await tenant.request('DELETE', path, { token: await tenant.adminToken() }));
    const again = await refreshWith(tenant, client, tokens.refresh_token);
    assert.equal(again.body.error, 'invalid_grant');
  });

  test('A login inside an application has the scopes, the nonce and the claims of its request, without a consent page', async () => {
    const claims = JSON.stringify({ id_token: { email: null } });
    const { tokens, user } = await tokensOf({ scope: 'openid email', nonce: 'n-1', claims });
    assert.equal(tokens.scope, 'openid email');
    const idToken = payloadOf(tokens.id_token ?? '') as Record<string, unknown>;
    assert.deepEqual(
      [idToken['nonce'], idToken['email'], idToken['aud']],
      ['n-1', user.identifier, client.id],
    );
  });

  test('A login inside an application is bound to the key of its proofs from the first request', async () => {
    const key = await newDpopKey(() => keywright.clock.now());
    const user = await tenant.createUser();
    const login = new InApp(tenant, client, { key });
    await login.start({ login_hint: user.identifier });
    const { authorization_code: code } = expectStatus(
      200,
      await login.go({ password: user.password }),
    );
    const thief = new InApp(tenant, client, {
      key: await newDpopKey(() => keywright.clock.now()),
    });
    for (const without of [app(), thief]) {
      const more = { code_verifier: login.pkce.verifier };
      assert.equal((await without.redeem(code, more)).body.error, 'invalid_grant');
    }
    const tokens = expectStatus(200, await login.redeem(code));
    assert.equal(tokens.token_type, 'DPoP');
  });

  test('A login inside an application is recorded as a login, and as the tokens of the application', async () => {
    const { user, tokens } = await tokensOf();
    const token = await tenant.adminToken();
    for (const [action, target] of [
      ['auth.login', user.user.id],
      ['auth.code_redeemed', claimsOf(tokens.access_token).sid],
    ] as const) {
      const path = `/audit?action=${action}&limit=1`;
      const { items } = (await tenant.request<{ items: AuditEntry[] }>('GET', path, { token }))
        .body;
      assert.ok(JSON.stringify(items[0]).includes(String(target)), action);
    }
  });
});

describe('unknown identifiers', () => {
  test('A response to an unknown identifier reveals nothing', async () => {
    const user = await tenant.createUser();
    const seen = new Set<string>();
    for (const login_hint of [user.identifier, newIdentifier()]) {
      const login = app();
      const answers = [
        await login.start({ login_hint }),
        await login.go({ password: 'wrong' }),
        await login.go({ message: 'email' }),
        await login.go({ message_code: '00000000' }),
        await login.go({ totp_code: '000000' }),
        await login.go({}),
      ];
      const shown = answers.map(({ status, text, body: { auth_session, sent_to } }) =>
        [
          status,
          auth_session?.length,
          text.replace(auth_session ?? '', '').replace(sent_to ?? '', ''),
        ].join(' '),
      );
      seen.add(shown.join('\n'));
    }
    assert.equal(seen.size, 1, [...seen].join('\n'));
  });
});
