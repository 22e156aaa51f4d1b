// A real provider, oidc-provider, which is certified for OpenID Connect.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import {
  addProvider,
  startUpstreamFlow,
  CLIENT_ID,
  comeBack,
  flowStep,
  goToProvider,
  handoffOf,
  UPSTREAM_CONFIG,
} from '../harness/upstream.ts';
import Provider from 'oidc-provider';

const SUBJECT = 'ada';

let keywright: Keywright;
let tenant: TestTenant;
let server: Server;
let record: IdentityProviderRecord;
const email = newIdentifier();

before(async () => {
  const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  keywright = await startKeywright({ env });
  tenant = await keywright.tenant('real', { config: UPSTREAM_CONFIG });
  server = createServer();
  server.unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientSecret = newPassword();
  record = await addProvider(tenant, { issuer, clientSecret });
  const provider = providerAt(issuer, clientSecret);
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    const result = { login: { accountId: SUBJECT } };
    void provider.interactionFinished(request, response, result);
  });
});
after(async () => {
  await keywright.close();
  server.closeAllConnections();
  server.close();
});

function providerAt(issuer: string, clientSecret: string): Provider {
  return new Provider(issuer, {
    clients: [
      { client_id: CLIENT_ID, client_secret: clientSecret, redirect_uris: [record.callback_url] },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email, email_verified: true, name: 'Ada' }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // The provider asks no user for consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId: SUBJECT });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
}

/** Follows redirects within the provider. @returns the URL to which it redirects the browser */
async function browse(address: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(address);
  const { origin } = at;
  while (at.origin === origin) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const header of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (header.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    assert.ok(location, `${answer.status} ${await answer.text()}`);
    at = new URL(location, at);
  }
  return at;
}

async function login(register: boolean) {
  const flow = await startUpstreamFlow(tenant, { register });
  const back = await browse(await goToProvider(tenant, flow, record));
  const handoff = handoffOf(await comeBack(tenant, back));
  return flowStep(tenant, flow, 'oauth/finish', { handoff });
}

test('A user of a real provider registers, and logs in again', async () => {
  const { user } = expectStatus(200, await login(true));
  // The provider returns email addresses only at its userinfo endpoint, so the address is unverified.
  assert.deepEqual(user?.identifiers, [{ type: 'email', identifier: email, verified: false }]);
  assert.equal(expectStatus(200, await login(false)).user?.id, user?.id);
});
