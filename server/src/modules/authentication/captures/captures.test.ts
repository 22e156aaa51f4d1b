// A user with an address in a captured domain signs in through the provider that captured it, and through no other one.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { type DnsServer, startDnsServer } from '@keywright/tests/harness/dns-server';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrolTotp, totpOf } from '@keywright/tests/harness/totp';
import {
  addProvider,
  beginUpstreamFlow,
  type FakeProvider,
  flowStep,
  type Person,
  proveUpstream,
  startFakeProvider,
  UPSTREAM_CONFIG,
} from '@keywright/tests/harness/upstream';

const DOMAIN = 'corp.example';
const PERIOD = 30;

let dns: DnsServer;
/** TXT records that the DNS returns. */
let texts: readonly string[] = [];
let keywright: Keywright;
let tenants = 0;

/** The provider that captures the domain, and another one of the same tenant. */
let corporate: FakeProvider;
let elsewhere: FakeProvider;

before(async () => {
  dns = await startDnsServer(({ type }) => (type === 'TXT' ? texts : []));
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
    outside: { dnsServers: [dns.address] },
  });
  [corporate, elsewhere] = [await startFakeProvider(), await startFakeProvider()];
  for (const one of [corporate, elsewhere]) one.now = () => keywright.clock.now().getTime();
});
after(async () => {
  await keywright.close();
  await Promise.all([corporate.close(), elsewhere.close(), dns.close()]);
});
beforeEach(() => keywright.database.query('DELETE FROM login_attempts'));

interface At {
  readonly provider: FakeProvider;
  readonly record: IdentityProviderRecord;
}

interface Corporation {
  readonly tenant: TestTenant;
  readonly captor: At;
  readonly other: At;
}

async function newCorporation(): Promise<Corporation> {
  tenants += 1;
  const tenant = await keywright.tenant(`corporation-${tenants}`, { config: UPSTREAM_CONFIG });
  const at = async (provider: FakeProvider, fields: object) => ({
    provider,
    record: await addProvider(tenant, provider, { domains: [DOMAIN], ...fields }),
  });
  const captor = await at(corporate, { link: 'auto' });
  return { tenant, captor, other: await at(elsewhere, { name: 'Other', link: 'auto' }) };
}

/** From now on users of the domain sign in at its captor only. */
async function capture({ tenant, captor: { record } }: Corporation): Promise<void> {
  const path = `/identity-providers/${record.id}/domains`;
  const token = await tenant.adminToken();
  const added = await tenant.request('POST', path, { token, body: { domain: DOMAIN } });
  texts = [String(expectStatus(201, added)['txt_value'])];
  expectStatus(200, await tenant.request('POST', `${path}/${DOMAIN}/verify`, { token }));
}

/** A user of the domain whose address is verified. */
async function newEmployee({ tenant }: Corporation): Promise<TestUser> {
  const user = await tenant.createUser({
    identifier: newIdentifier().replace(/@.*/, `@${DOMAIN}`),
  });
  const body = { identifiers: [{ identifier: user.identifier, verified: true }] };
  const options = { token: await tenant.adminToken(), body };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
  const { access_token: token } = await tenant.login(user.identifier, user.password);
  return { ...user, token };
}

function personOf({ identifier: email }: TestUser): Person {
  return { sub: `subject of ${email}`, email, email_verified: true };
}

async function signIn({ tenant }: Corporation, at: At, user: TestUser) {
  const flow = await beginUpstreamFlow(tenant, { identifier: user.identifier });
  return { flow, answer: await proveUpstream(tenant, flow, at, personOf(user)) };
}

describe('a proof through another provider, from before the domain was captured,', () => {
  test('opens no session with a second factor, and one of the captor does', async () => {
    const corporation = await newCorporation();
    const { tenant, captor, other } = corporation;
    const user = await newEmployee(corporation);
    const { secret } = await enrolTotp(tenant, user.token, keywright.clock);
    keywright.clock.advance(2 * PERIOD);
    const { flow, answer } = await signIn(corporation, other, user);
    assert.equal(expectStatus(200, answer).flow.needs[0]?.step, 'totp');
    await capture(corporation);
    const code = totpOf(secret, keywright.clock.now());
    const half = await flowStep(tenant, flow, 'totp', { code });
    assert.equal(half.body.access_token, undefined);
    assert.equal(expectStatus(400, half).code, 'STEP_NOT_NEEDED');
    const proven = await signIn(corporation, captor, user);
    assert.equal(expectStatus(200, proven.answer).flow.needs[0]?.step, 'totp');
    const whole = expectStatus(200, await flowStep(tenant, proven.flow, 'totp', { code }));
    assert.deepEqual(claimsOf(whole.access_token ?? '').amr, ['fed', 'otp', 'mfa']);
  });

  test('is linked by no proof of the account', async () => {
    const corporation = await newCorporation();
    const { tenant, captor, other } = corporation;
    const user = await newEmployee(corporation);
    const path = `/identity-providers/${other.record.id}`;
    const options = { token: await tenant.adminToken(), body: { link: 'ask' } };
    expectStatus(200, await tenant.request('PATCH', path, options));
    const { flow, answer } = await signIn(corporation, other, user);
    assert.equal(expectStatus(200, answer).flow.purpose, 'linking');
    await capture(corporation);
    const proven = await flowStep(tenant, flow, 'password', { secret: user.password });
    assert.equal(proven.body.access_token, undefined);
    const linked = await keywright.database.query(
      `SELECT provider FROM user_credentials WHERE tenant_id = $1 AND user_id = $2 AND type = 'oauth'`,
      [tenant.id, user.user.id],
    );
    assert.deepEqual(linked, []);
    const { body } = (await signIn(corporation, captor, user)).answer;
    assert.equal(body.user?.id, user.user.id);
  });
});
