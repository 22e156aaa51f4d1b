import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { ProviderDomain } from '@keywright/contract/records/provider-domain';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type DnsServer, startDnsServer } from '@keywright/tests/harness/dns-server';
import { expectStatus, type JsonBody } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import {
  addProvider,
  startUpstreamFlow,
  type FakeProvider,
  flowStep,
  type Person,
  proveUpstream,
  startFakeProvider,
  UPSTREAM_CONFIG,
} from '@keywright/tests/harness/upstream';

const DOMAIN = 'corp.example';
const METHODS = ['password', 'magic_link', 'oauth', 'passkey'] as const;

let dns: DnsServer;
/** The TXT records; undefined: the DNS does not respond. */
let texts: readonly string[] | undefined = [];
let keywright: Keywright;
let provider: FakeProvider;

before(async () => {
  dns = await startDnsServer(({ type }) => (type === 'TXT' ? texts : []));
  keywright = await startKeywright({
    nodes: 2,
    clock: 'fake',
    env: {
      KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
      KEYWRIGHT_SMTP_URL: 'smtp://127.0.0.1:9',
      KEYWRIGHT_MAIL_FROM: 'id@example.com',
    },
    outside: { dnsServers: [dns.address] },
  });
  provider = await startFakeProvider();
  provider.now = () => keywright.clock.now().getTime();
});
after(async () => {
  await keywright.close();
  await provider.close();
  await dns.close();
});
beforeEach(() => {
  texts = [];
  return keywright.database.query('DELETE FROM login_attempts');
});

interface Corporation {
  readonly tenant: TestTenant;
  readonly record: IdentityProviderRecord;
}

let tenants = 0;

async function newTenant(): Promise<Corporation> {
  tenants += 1;
  const config = { ...UPSTREAM_CONFIG, allowed_login_methods: [...METHODS] };
  const tenant = await keywright.tenant(`captured-${tenants}`, { config });
  return { tenant, record: await addProvider(tenant, provider) };
}

async function requestDomains<Body = JsonBody>(
  { tenant, record }: Corporation,
  method: string,
  path = '',
  body?: object,
) {
  const token = await tenant.adminToken();
  const options = { token, ...(body && { body }) };
  return tenant.request<Body>(method, `/identity-providers/${record.id}/domains${path}`, options);
}

async function add(corporation: Corporation, domain = DOMAIN): Promise<ProviderDomain> {
  const answer = await requestDomains<ProviderDomain>(corporation, 'POST', '', { domain });
  return expectStatus(201, answer);
}

async function capture(corporation: Corporation): Promise<void> {
  texts = [(await add(corporation)).txt_value];
  expectStatus(200, await requestDomains(corporation, 'POST', `/${DOMAIN}/verify`));
}

const corporate = () => newIdentifier().replace(/@.*/, `@${DOMAIN}`);

function newPerson(email: string): Person {
  return { sub: `subject of ${email}`, email };
}

async function stepsOf(tenant: TestTenant, body: object) {
  const answer = await tenant.request<StartedFlow>('POST', '/auth/flows', { body });
  return expectStatus(201, answer).flow.needs;
}

describe('a domain of a provider', () => {
  test('A domain is verified by a DNS record with its own text, and remains verified', async () => {
    const corporation = await newTenant();
    const added = await add(corporation);
    assert.deepEqual(
      [added.txt_name, added.is_verified, added.verified_at],
      [`_keywright-challenge.${DOMAIN}`, false, null],
    );
    assert.deepEqual(await add(corporation), added, 'adding it again changes nothing');
    const verify = () => requestDomains(corporation, 'POST', `/${DOMAIN}/verify`);
    const other = await add(await newTenant());
    for (const wrong of [[], [other.txt_value], [`${added.txt_value} `], ['x'.repeat(255)]]) {
      texts = wrong;
      assert.equal((await verify()).body['code'], 'DOMAIN_NOT_PROVEN');
    }
    texts = ['v=spf1 -all', added.txt_value];
    assert.equal(expectStatus(200, await verify())['is_verified'], true);
    assert.ok(dns.questions.some(({ name }) => name === added.txt_name));
    texts = [];
    assert.equal(expectStatus(200, await verify())['is_verified'], true);
    const { items } = expectStatus(200, await requestDomains(corporation, 'GET'));
    assert.deepEqual(
      (items as ProviderDomain[]).map((item) => item.domain),
      [DOMAIN],
    );
  });

  test('A domain is not verified while the DNS does not respond', async () => {
    const corporation = await newTenant();
    await add(corporation);
    texts = undefined;
    const answer = await requestDomains(corporation, 'POST', `/${DOMAIN}/verify`);
    assert.equal(answer.body['code'], 'DOMAIN_NOT_PROVEN');
  });

  test('A domain belongs to one provider of a tenant at a time', async () => {
    const corporation = await newTenant();
    await add(corporation);
    const second = { ...corporation, record: await addProvider(corporation.tenant, provider) };
    const refused = await requestDomains(second, 'POST', '', { domain: DOMAIN });
    assert.equal(refused.body['code'], 'DOMAIN_OF_OTHER_PROVIDER');
    expectStatus(404, await requestDomains(second, 'POST', `/${DOMAIN}/verify`));
    expectStatus(404, await requestDomains(second, 'DELETE', `/${DOMAIN}`));
    expectStatus(200, await requestDomains(corporation, 'DELETE', `/${DOMAIN}`));
    await add(second);
  });
});

describe('a user of a domain', () => {
  test('A user of a domain can use every login method until the domain is verified, and again after it is removed or the provider disabled', async () => {
    const corporation = await newTenant();
    const { tenant, record } = corporation;
    const [identifier, secret] = [corporate(), newPassword()];
    await tenant.login(identifier, secret, { extra: { register: true } });
    await add(corporation);
    const login = async (node: number) => {
      const body = { identifier, secret };
      return (await tenant.request('POST', '/auth/login', { body, node })).status;
    };
    assert.equal(await login(0), 200);
    await capture(corporation);
    assert.deepEqual([await login(0), await login(1)], [401, 401], 'on every node, immediately');
    const path = `/identity-providers/${record.id}`;
    const change = async (is_active: boolean) => {
      const options = { token: await tenant.adminToken(), body: { is_active, skip_test: true } };
      expectStatus(200, await tenant.request('PATCH', path, options));
    };
    await change(false);
    assert.equal(await login(0), 200);
    await change(true);
    assert.equal(await login(0), 401);
    expectStatus(200, await requestDomains(corporation, 'DELETE', `/${DOMAIN}`));
    assert.equal(await login(0), 200);
  });

  test('A user of a domain gets the same response as an unknown user, with any password', async () => {
    const corporation = await newTenant();
    const { tenant } = corporation;
    const [identifier, secret] = [corporate(), newPassword()];
    await tenant.login(identifier, secret, { extra: { register: true } });
    await capture(corporation);
    const answers = [];
    for (const body of [
      { identifier, secret },
      { identifier, secret: newPassword() },
      { identifier: corporate(), secret },
      { identifier: corporate(), secret, register: true },
    ]) {
      const { status, text } = await tenant.request('POST', '/auth/login', { body });
      answers.push([status, text]);
    }
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
    assert.equal(answers[0]?.[0], 401);
  });

  test('A user of a domain, known or not, is offered only its provider, and can take no other step', async () => {
    const corporation = await newTenant();
    const { tenant, record } = corporation;
    const registered = corporate();
    await tenant.login(registered, newPassword(), { extra: { register: true } });
    await capture(corporation);
    const only = [{ step: 'oauth', provider: record.id }];
    for (const identifier of [registered, corporate()]) {
      assert.deepEqual(await stepsOf(tenant, { identifier }), only);
      const recovery = await stepsOf(tenant, { identifier, purpose: 'recovery' });
      assert.deepEqual(recovery, []);
      const flow = await startUpstreamFlow(tenant, { identifier });
      for (const [step, body] of [
        ['password', { secret: newPassword() }],
        ['message', {}],
      ] as const) {
        assert.equal((await flowStep(tenant, flow, step, body)).body.code, 'STEP_NOT_NEEDED');
      }
    }
    const elsewhere = (await stepsOf(tenant, { identifier: newIdentifier() })).map(
      ({ step }) => step,
    );
    assert.deepEqual(elsewhere, ['password', 'message', 'passkey', 'oauth']);
  });

  test('A user of a domain who also has another address logs in only at its provider', async () => {
    const corporation = await newTenant();
    const { tenant } = corporation;
    const { user, identifier, password } = await tenant.createUser();
    const options = {
      token: await tenant.adminToken(),
      body: { identifiers: [{ identifier }, { identifier: corporate() }] },
    };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
    await tenant.login(identifier, password);
    await capture(corporation);
    const body = { identifier, secret: password };
    expectStatus(401, await tenant.request('POST', '/auth/login', { body }));
    const flow = await startUpstreamFlow(tenant, { identifier });
    const step = await flowStep(tenant, flow, 'password', { secret: password });
    assert.equal(step.body.access_token, undefined);
  });

  test('A user of a domain is linked without another login, and verified, unless the provider reports the address as unverified', async () => {
    const corporation = await newTenant();
    const { tenant, record } = corporation;
    const email = corporate();
    const { user } = await tenant.createUser({ identifier: email });
    await capture(corporation);
    const login = async (person: Person) => {
      const flow = await startUpstreamFlow(tenant, { identifier: email });
      return proveUpstream(tenant, flow, { provider, record }, person);
    };
    const denied = await login({ ...newPerson(email), email_verified: false });
    assert.equal(denied.body.access_token, undefined);
    const answer = expectStatus(200, await login(newPerson(email)));
    assert.equal(answer.user?.id, user.id);
  });

  test('A user of a domain who holds scopes is linked at its provider after a proof of the account, and at no other provider', async () => {
    const corporation = await newTenant();
    const { tenant, record } = corporation;
    const other = await addProvider(tenant, provider, { name: 'Other', domains: [DOMAIN] });
    const email = corporate();
    const owner = await tenant.createUser({ identifier: email, roles: ['admin'] });
    await keywright.database.query(
      'UPDATE user_identifiers SET verified = true WHERE tenant_id = $1 AND user_id = $2',
      [tenant.id, owner.user.id],
    );
    await capture(corporation);
    const login = async (at: IdentityProviderRecord) => {
      const flow = await startUpstreamFlow(tenant, { identifier: email });
      return {
        flow,
        answer: await proveUpstream(tenant, flow, { provider, record: at }, newPerson(email)),
      };
    };
    const { flow, answer } = await login(record);
    assert.equal(answer.body.access_token, undefined);
    const steps = answer.body.flow?.needs.map(({ step }) => step);
    assert.ok(steps?.includes('password'), `offers ${steps?.join()}`);
    const wrong = await flowStep(tenant, flow, 'password', { secret: newPassword() });
    assert.equal(wrong.body.access_token, undefined);
    const proven = await flowStep(tenant, flow, 'password', { secret: owner.password });
    assert.equal(expectStatus(200, proven).user?.id, owner.user.id);
    assert.equal(expectStatus(200, (await login(record)).answer).user?.id, owner.user.id);
    assert.equal((await login(other)).answer.body.access_token, undefined);
  });

  test('A user of a domain registers at its provider, and at no other', async () => {
    const corporation = await newTenant();
    const { tenant, record } = corporation;
    const other = await addProvider(tenant, provider, { name: 'Other', domains: [DOMAIN] });
    await capture(corporation);
    const email = corporate();
    const at = async (providerRecord: IdentityProviderRecord, person: Person) =>
      proveUpstream(
        tenant,
        await startUpstreamFlow(tenant),
        { provider, record: providerRecord },
        person,
      );
    const person = { ...newPerson(email), email_verified: true };
    assert.equal((await at(other, person)).body.code, 'INVALID_CREDENTIALS');
    const { user } = expectStatus(200, await at(record, newPerson(email)));
    assert.deepEqual(user?.identifiers, [{ type: 'email', identifier: email, verified: true }]);
    // The identity is linked as before the capture of the domain.
    await keywright.database.query(
      `INSERT INTO user_credentials (tenant_id, user_id, type, provider, external_id)
       VALUES ($1, $2, 'oauth', $3, 'elsewhere')`,
      [tenant.id, user?.id, other.id],
    );
    const elsewhere = await at(other, { sub: 'elsewhere' });
    assert.equal(elsewhere.body.code, 'INVALID_CREDENTIALS');
  });

  test('A user of another tenant is not affected by the domain', async () => {
    await capture(await newTenant());
    const { tenant } = await newTenant();
    await tenant.login(corporate(), newPassword(), { extra: { register: true } });
  });
});

test('The captured domains of a tenant are not published', async () => {
  const corporation = await newTenant();
  await capture(corporation);
  const answer = await corporation.tenant.request('GET', '/auth/methods');
  assert.ok(!answer.text.includes(DOMAIN), answer.text);
});
