// docs/reference/claims.md lists the claims of every kind of token.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SIGNALS } from '@keywright/contract/signals';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type LogoutReceiver, startLogoutReceiver } from '../harness/logout-receiver.ts';
import { RelyingParty } from '../harness/relying-party.ts';
import { SignalClient } from '../harness/signals.ts';
import { bitOf, followStatus } from '../harness/status.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { claimsOf, payloadOf } from '../harness/token.ts';
import { postToken } from '../harness/token-endpoint.ts';
import { CLAIMS } from '../../tools/reference/claims.ts';

let keywright: Keywright;
let tenant: TestTenant;
let receiver: LogoutReceiver;
let app: RelyingParty;
let user: TestUser;

before(async () => {
  receiver = await startLogoutReceiver();
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', KEYWRIGHT_BASE_URL: 'http://localhost' },
  });
  tenant = await keywright.tenant('claims');
  user = await tenant.createUser();
  const { id } = user.user;
  const change = { body: { metadata: { name: 'Ada' } }, token: await tenant.adminToken() };
  expectStatus(200, await tenant.request('PATCH', `/users/${id}`, change));
  app = await RelyingParty.register(tenant, {
    issuer: `http://localhost/t/${tenant.id}`,
    fields: {
      backchannel_logout_uri: `${receiver.url}/logout`,
      scopes: ['openid', 'profile', 'email', 'phone', 'offline_access', 'read:users'],
    },
  });
});
after(async () => {
  await keywright.close();
  await receiver.close();
});

/** Asserts that a token has no claim that the page lacks, and every claim that it calls always present. */
function requireListed(kind: keyof typeof CLAIMS, claims: unknown): void {
  const names = Object.keys(claims as object);
  const listed = CLAIMS[kind].map(([name]) => name);
  assert.deepEqual(
    names.filter((name) => !listed.includes(name)),
    [],
    kind,
  );
  const constant = CLAIMS[kind].flatMap(([name, , , present]) => (present === '' ? [name] : []));
  assert.deepEqual(
    constant.filter((name) => !names.includes(name)),
    [],
    kind,
  );
}

test('The page of claims lists each claim of the tokens of a direct login', async () => {
  const login = await tenant.login(user.identifier, user.password);
  const { access_token: access, refresh_token: refresh } = login;
  requireListed('access', payloadOf(access));
  requireListed('refresh', payloadOf(refresh));
  const list = claimsOf(access).status?.status_list.uri ?? '';
  const { text } = await keywright.request('GET', new URL(list).pathname);
  requireListed('list', payloadOf(text));
});

test('The page of claims lists each claim of a change of a status list', async () => {
  const stream = await followStatus(keywright.url, `/t/${tenant.id}/status/stream`);
  const { access_token: token } = await tenant.login(user.identifier, user.password);
  expectStatus(200, await tenant.request('POST', '/auth/logout', { token }));
  await stream.revocationOf(bitOf(token));
  for (const { claims } of stream.events) requireListed('change', claims);
  stream.close();
});

test('The page of claims lists each claim of an agent’s token', async () => {
  const { agent, key } = await tenant.createAgent({ scopes: ['read:users'] });
  const answer = await postToken(tenant, {
    grant_type: 'client_credentials',
    client_id: agent.id,
    client_secret: key,
  });
  requireListed('access', payloadOf(expectStatus(200, answer).access_token));
});

test('The page of claims lists each claim that an application gets about its user', async () => {
  const browser = app.browser();
  const scope = 'openid profile email phone offline_access read:users';
  const login = await app.logIn(browser, user, { scope, nonce: 'n-0S6_WzA2Mj' });
  requireListed('access', payloadOf(login.accessToken));
  requireListed('id', payloadOf(login.idToken));
  const userinfo = await keywright.request('GET', `/t/${tenant.id}/oauth/userinfo`, {
    token: login.accessToken,
  });
  requireListed('userinfo', expectStatus(200, userinfo));
  await app.logOut(browser, {});
  await browser.press('logout');
  await keywright.nodes[0]?.logouts.runDue();
  const [logout] = receiver.at('/logout');
  requireListed('logout', logout?.claims);
});

test('The page of claims lists each claim of a security event token', async () => {
  const client = await SignalClient.register(tenant, { reach: 'all_users' });
  const stream = await client.stream(undefined, {
    events_requested: [SIGNALS['account-disabled']],
  });
  const { user: other } = await tenant.createUser();
  const body = { is_active: false };
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request('PATCH', `/users/${other.id}`, { token, body }));
  const { sets } = await client.poll(stream.stream_id, {}, 0);
  const [event = ''] = Object.values(sets);
  requireListed('event', payloadOf(event));
});
