// What the plan "back-channel logout" of the OpenID Foundation's conformance suite checks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type LogoutReceiver, startLogoutReceiver } from '../harness/logout-receiver.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { discover, issuerOf, VerifyingParty } from './verifying-party.ts';

const BYE = 'https://app.example.com/bye';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let keywright: Keywright;
let tenant: TestTenant;
let receiver: LogoutReceiver;

before(async () => {
  receiver = await startLogoutReceiver();
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
  });
  tenant = await keywright.tenant('backchannel');
});
after(async () => {
  await keywright.close();
  await receiver.close();
});

test('The metadata offers back-channel logout, with sessions (§2.1)', async () => {
  const metadata = await discover(keywright, tenant);
  assert.equal(metadata.backchannel_logout_supported, true);
  assert.equal(metadata.backchannel_logout_session_supported, true);
  assert.ok(metadata.end_session_endpoint);
});

test('A logout that an application requests notifies it over the back channel, too (§2.4, §2.5)', async () => {
  const party = await VerifyingParty.register(
    { keywright, tenant, mode: 'query' },
    {
      post_logout_redirect_uris: [BYE],
      backchannel_logout_uri: `${receiver.url}/party`,
      backchannel_logout_session_required: true,
    },
  );
  const browser = party.browser();
  const tokens = await party.tokensFor(await party.logIn(browser, await tenant.createUser()));
  const state = 'af0ifjsldkj';
  const logoutRequest = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE, state };
  const seen = await party.logOut(browser, logoutRequest);
  assert.equal(seen.redirectsTo?.href, `${BYE}?state=${state}`);
  await keywright.nodes[0]?.logouts.runDue();

  const [received, ...others] = receiver.received;
  assert.deepEqual([others.length, received?.method], [0, 'POST']);
  assert.equal(received?.contentType, 'application/x-www-form-urlencoded');
  assert.deepEqual([...new URLSearchParams(received.body).keys()], ['logout_token']);
  const { payload } = await jwtVerify(received.token, createLocalJWKSet(await party.keys()), {
    issuer: issuerOf(keywright, tenant).href,
    audience: party.client.id,
    algorithms: ['RS256'],
    typ: 'logout+jwt',
    requiredClaims: ['iat', 'exp', 'jti'],
    currentDate: keywright.clock.now(),
  });
  assert.deepEqual([payload.sub, payload['sid']], [tokens.claims.sub, tokens.claims['sid']]);
  assert.deepEqual(payload['events'], { [EVENT]: {} });
  assert.equal(payload['nonce'], undefined);
  assert.ok(await party.isLoggedOut(browser));
});
