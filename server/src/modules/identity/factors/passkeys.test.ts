import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import {
  addPasskey,
  type AddedPasskey,
  startPasskeyFlow,
  creationOptions,
  FLAG,
  type Odd,
  provePasskey,
  requestOptions,
  TestPasskey,
} from '@keywright/tests/harness/passkey';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('passkeys');
});

after(() => keywright.close());

function tenantWith(config: Partial<TenantConfig>): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`passkeys-${tenants}`, { config });
}

async function attempt(at: TestTenant, passkey: TestPasskey, odd: Odd = {}) {
  const { token } = await at.createUser();
  const body = { credential: passkey.create(await creationOptions(at, token), odd) };
  const path = '/me/factors/passkeys';
  return at.request<AddedPasskey & ErrorBody>('POST', path, { token, body });
}

const codeOf = async (...args: Parameters<typeof attempt>) => (await attempt(...args)).body.code;

test('The removal of a passkey returns the remaining ones, for the authenticator', async () => {
  const user = await tenant.createUser();
  const first = await addPasskey(tenant, user.token);
  const flow = await startPasskeyFlow(tenant);
  const credential = first.passkey.get(await requestOptions(tenant, flow));
  const { access_token: token = '' } = expectStatus(
    200,
    await provePasskey(tenant, flow, credential),
  );
  const second = await addPasskey(tenant, token);
  const remove = async (id: string, bearer = token) => {
    const path = `/me/factors/${id}`;
    return expectStatus(200, await tenant.request('DELETE', path, { token: bearer }));
  };
  const relogged = await startPasskeyFlow(tenant);
  const again = first.passkey.get(await requestOptions(tenant, relogged));
  const freshToken =
    expectStatus(200, await provePasskey(tenant, relogged, again)).access_token ?? '';
  const totp = await tenant.request<{ id: string }>('POST', '/me/factors/totp', {
    token: freshToken,
    body: {},
  });
  const removedTotp = await remove(expectStatus(201, totp).id, freshToken);
  assert.equal(removedTotp['accepted_passkeys'], null);
  const { rpId, userId } = first.accepted_passkeys;
  const ids = [first.passkey.id.toString('base64url')];
  assert.deepEqual(await remove(second.factor.id, freshToken), {
    id: second.factor.id,
    deleted: true,
    accepted_passkeys: { rpId, userId, allAcceptedCredentialIds: ids },
  });
});

test('A passkey that is the only login method cannot be removed', async () => {
  const user = await tenant.createUser();
  const first = await addPasskey(tenant, user.token);
  await keywright.database.query(
    `DELETE FROM user_credentials WHERE tenant_id = $1 AND user_id = $2 AND type = 'password'`,
    [tenant.id, user.user.id],
  );
  const login = async () => {
    const flow = await startPasskeyFlow(tenant);
    const credential = first.passkey.get(await requestOptions(tenant, flow));
    return expectStatus(200, await provePasskey(tenant, flow, credential)).access_token ?? '';
  };
  const remove = async () => {
    const path = `/me/factors/${first.factor.id}`;
    return tenant.request<ErrorBody>('DELETE', path, { token: await login() });
  };
  assert.equal(expectStatus(400, await remove()).code, 'LAST_LOGIN_METHOD');
  // Nothing has changed.
  const second = await addPasskey(tenant, await login());
  assert.equal(second.recovery_codes, null);
  expectStatus(200, await remove());
});

describe('a new passkey', () => {
  test('A new passkey is listed, renamed and removed like other factors, and the first comes with recovery codes', async () => {
    const { token, user } = await tenant.createUser();
    const { factor, recovery_codes: codes } = await addPasskey(
      tenant,
      token,
      new TestPasskey({ isSynced: true }),
    );
    assert.equal(codes?.length, 10);
    const { id, ...rest } = factor;
    assert.match(id, /^fct_/);
    const now = keywright.clock.now().toISOString();
    assert.deepEqual(rest, {
      tenant_id: tenant.id,
      user_id: user.id,
      type: 'passkey',
      name: 'Passkey',
      created_at: now,
      confirmed_at: now,
      last_used_at: null,
      is_suspended: false,
      passkey: {
        rp_id: 'id.example.com',
        aaguid: '00000000-0000-0000-0000-000000000000',
        is_synced: true,
        is_device_bound: false,
        transports: ['internal'],
      },
    });
    const admin = await tenant.adminToken();
    const path = `/users/${user.id}/factors`;
    const list = await tenant.request<{ items: { type: string }[] }>('GET', path, { token: admin });
    assert.deepEqual(
      expectStatus(200, list)
        .items.map(({ type }) => type)
        .toSorted(),
      ['passkey', 'recovery_codes'],
    );
    const body = { name: 'Laptop' };
    expectStatus(200, await tenant.request('PATCH', `/me/factors/${id}`, { token, body }));
  });

  test('A new passkey is named after its authenticator, unless that is unknown or the client names it', async () => {
    const { token } = await tenant.createUser();
    const yubikey = new TestPasskey({ aaguid: '2fc0579f-8113-47ea-b116-bb5a8db9202a' });
    const { factor } = await addPasskey(tenant, token, yubikey);
    assert.equal(factor.name, 'YubiKey 5 NFC');
    const other = new TestPasskey({ aaguid: 'ffffffff-ffff-ffff-ffff-ffffffffffff' });
    const { token: second } = await tenant.createUser();
    assert.equal((await addPasskey(tenant, second, other)).factor.name, 'Passkey');
    const { token: third } = await tenant.createUser();
    const passkey = new TestPasskey({ aaguid: yubikey.aaguid });
    const credential = passkey.create(await creationOptions(tenant, third));
    const added = await tenant.request<AddedPasskey>('POST', '/me/factors/passkeys', {
      token: third,
      body: { credential, name: 'On my keys' },
    });
    assert.equal(expectStatus(201, added).factor.name, 'On my keys');
  });

  test('A user handle has 32 bytes that do not reveal the user ID, and is the same for all passkeys of the user', async () => {
    const { token, user } = await tenant.createUser();
    const options = await creationOptions(tenant, token);
    assert.equal(Buffer.from(options.user.id, 'base64url').length, 32);
    assert.ok(!Buffer.from(options.user.id, 'base64url').includes(user.id));
    assert.deepEqual(options.excludeCredentials, []);
    const { passkey } = await addPasskey(tenant, token);
    const login = await startPasskeyFlow(tenant);
    const proven = await provePasskey(
      tenant,
      login,
      passkey.get(await requestOptions(tenant, login)),
    );
    const strong = expectStatus(200, proven).access_token ?? '';
    const next = await creationOptions(tenant, strong);
    assert.equal(next.user.id, options.user.id);
    assert.deepEqual(
      next.excludeCredentials.map(({ id }) => id),
      [passkey.id.toString('base64url')],
    );
  });

  test('A new passkey requires a login with the second factor of a user who has one', async () => {
    const { token } = await tenant.createUser();
    await addPasskey(tenant, token);
    const path = '/me/factors/passkeys/options';
    const answer = await tenant.request<ErrorBody>('POST', path, { token });
    assert.equal(expectStatus(401, answer).code, 'STEP_UP_REQUIRED');
  });

  test('A new passkey requires a challenge of its own user, once, for ten minutes', async () => {
    const [ana, ben] = [await tenant.createUser(), await tenant.createUser()];
    const options = await creationOptions(tenant, ana.token);
    const post = (token: string, passkey = new TestPasskey()) =>
      tenant.request<ErrorBody>('POST', '/me/factors/passkeys', {
        token,
        body: { credential: passkey.create(options) },
      });
    assert.equal((await post(ben.token)).body.code, 'PASSKEY_REFUSED');
    expectStatus(201, await post(ana.token));
    const late = await creationOptions(tenant, ben.token);
    keywright.clock.advance(10 * 60);
    const fresh = await tenant.login(ben.identifier, ben.password);
    const body = { credential: new TestPasskey().create(late) };
    const answer = await tenant.request<ErrorBody>('POST', '/me/factors/passkeys', {
      token: fresh.access_token,
      body,
    });
    assert.equal(answer.body.code, 'PASSKEY_REFUSED');
  });

  test('A new passkey cannot have the ID of another one, of any user', async () => {
    const passkey = new TestPasskey();
    assert.equal(await codeOf(tenant, passkey), undefined);
    assert.equal(await codeOf(tenant, passkey), 'PASSKEY_REFUSED');
    assert.equal(await codeOf(await tenantWith({}), passkey), undefined);
  });

  test('A new passkey is not offered for an issuer that is an IP address', async () => {
    const plain = await startKeywright({ env: { KEYWRIGHT_BASE_URL: 'https://192.0.2.1' } });
    try {
      const at = await plain.tenant('plain');
      const { token, identifier } = await at.createUser();
      const path = '/me/factors/passkeys/options';
      const answer = await at.request<ErrorBody>('POST', path, { token });
      assert.equal(answer.body.code, 'METHOD_NOT_READY');
      const { flow } = await startPasskeyFlow(at, { identifier });
      assert.deepEqual(flow.needs, [{ step: 'password' }]);
      const { methods } = (await at.request<{ methods: string[] }>('GET', '/auth/methods')).body;
      assert.deepEqual(methods, ['password']);
      const alone = { config: { allowed_login_methods: ['passkey'] } };
      const body = { token: await plain.adminToken(), body: alone };
      const change = await plain.home.request<ErrorBody>('PATCH', `/tenants/${at.id}`, body);
      assert.equal(change.body.code, 'METHOD_NOT_READY');
    } finally {
      await plain.close();
    }
  });

  const nested = Buffer.alloc(8000, 0x81);
  const twice = Buffer.from([0xa2, 0x61, 0x61, 0x01, 0x61, 0x61, 0x02]);
  const ODDITIES: Readonly<Record<string, Odd>> = {
    'without user verification': { flags: FLAG.up | FLAG.at },
    'without user presence': { flags: FLAG.uv | FLAG.at },
    'backed up although it cannot be': { flags: FLAG.up | FLAG.uv | FLAG.at | FLAG.bs },
    'of another domain': { rpId: 'evil.example' },
    'of another origin': { origin: 'https://evil.example' },
    'of another ceremony': { clientData: { type: 'webauthn.get' } },
    'of a frame on another site': { clientData: { crossOrigin: true } },
    'that names a page around it': { clientData: { topOrigin: 'https://evil.example' } },
    'with more data than it says': { trailing: Buffer.from([0]) },
    'of no attestation that is called packed': {
      attestation: { fmt: 'packed', attStmt: Buffer.from([0xa0]) },
    },
    'of no attestation with a statement': {
      attestation: { fmt: 'none', attStmt: Buffer.from([0xa1, 0x61, 0x61, 0x01]) },
    },
    'of an unknown attestation': { attestation: { fmt: 'unheard', attStmt: Buffer.from([0xa0]) } },
    'nested thousands of levels deep': { attestation: { fmt: 'none', attStmt: nested } },
    'with a key twice': { attestation: { fmt: 'none', attStmt: twice } },
  };
  for (const [what, odd] of Object.entries(ODDITIES)) {
    test(`${what} is refused`, async () => {
      assert.equal(await codeOf(tenant, new TestPasskey(), odd), 'PASSKEY_REFUSED');
    });
  }

  test('A registration that is too large is rejected before it is parsed', async () => {
    const statement = Buffer.concat([
      Buffer.from([0xa1, 0x61, 0x61, 0x59, 0x27, 0x10]),
      Buffer.alloc(10_000),
    ]);
    const odd = { attestation: { fmt: 'none', attStmt: statement } };
    assert.equal(await codeOf(tenant, new TestPasskey(), odd), 'VALIDATION_FAILED');
  });
});

test('passkey_rp_id: passkeys are bound to this domain', async () => {
  const at = await tenantWith({ passkey_rp_id: 'example.com' });
  const { token } = await at.createUser();
  assert.equal((await creationOptions(at, token)).rp.id, 'example.com');
  assert.equal(await codeOf(at, new TestPasskey()), undefined);
  assert.equal(await codeOf(at, new TestPasskey(), { rpId: 'id.example.com' }), 'PASSKEY_REFUSED');
});

test('passkey_origins: pages and apps that may use passkeys, in addition to the issuer', async () => {
  const android = `android:apk-key-hash:${'A'.repeat(43)}`;
  const page = 'https://app.example.com';
  const at = await tenantWith({ passkey_origins: [page, android] });
  for (const origin of [page, android, 'https://id.example.com']) {
    assert.equal(await codeOf(at, new TestPasskey(), { origin }), undefined);
  }
  for (const origin of ['https://app.example.com:444', 'http://app.example.com', 'null']) {
    assert.equal(await codeOf(at, new TestPasskey(), { origin }), 'PASSKEY_REFUSED');
  }
});

test('passkey_attestation: with direct, a passkey without a certificate is refused', async () => {
  const at = await tenantWith({ passkey_attestation: 'direct' });
  const { token } = await at.createUser();
  assert.equal((await creationOptions(at, token)).attestation, 'direct');
  assert.equal(await codeOf(at, new TestPasskey()), 'PASSKEY_REFUSED');
});

test('passkey_aaguids: passkeys on other models are refused', async () => {
  const zero = '00000000-0000-0000-0000-000000000000';
  const other = '08987058-cadc-4b81-b6e1-30de50dcbe96';
  assert.equal(
    await codeOf(await tenantWith({ passkey_aaguids: [zero] }), new TestPasskey()),
    undefined,
  );
  const refused = await codeOf(await tenantWith({ passkey_aaguids: [other] }), new TestPasskey());
  assert.equal(refused, 'PASSKEY_REFUSED');
});

describe('a flow that needs another factor', () => {
  test('A flow that needs another factor accepts a new passkey, and is complete with it', async () => {
    const at = await tenantWith({ require_mfa: true });
    const { user, identifier, password } = await keywrightUser(at);
    const login = { body: { identifier, secret: password } };
    const refused = expectStatus(401, await at.request<ErrorBody>('POST', '/auth/login', login));
    assert.deepEqual(refused.flow?.needs, [{ step: 'enroll', methods: ['passkey', 'totp'] }]);
    const { id, flow_token } = refused.flow ?? {};
    const step = <Body>(name: string, body: object = {}) =>
      at.request<Body & ErrorBody>('POST', `/auth/flows/${id}/${name}`, {
        body: { flow_token, ...body },
      });
    type Options = { options: Parameters<TestPasskey['create']>[0] };
    const { options } = expectStatus(200, await step<Options>('enroll/passkey/options'));
    const bad = new TestPasskey().create(options, { origin: 'https://evil.example' });
    const wrong = await step('enroll/passkey', { credential: bad });
    assert.equal(wrong.body.code, 'PASSKEY_REFUSED');
    const credential = new TestPasskey().create(options);
    const done = expectStatus(
      200,
      await step<AddedPasskey & { user?: { id: string } }>('enroll/passkey', { credential }),
    );
    assert.equal(done.user?.id, user);
    assert.equal(done.recovery_codes?.length, 10);
    const again = await step('enroll/passkey', { credential });
    assert.equal(again.body.code, 'FLOW_ENDED');
  });

  test('A flow that must resist phishing requires a passkey of a user with an authenticator app', async () => {
    const { identifier, password } = await tenant.createUser();
    const startedFlow = await startPasskeyFlow(tenant, { identifier, acr: 'phr' });
    const path = `/auth/flows/${startedFlow.flow.id}`;
    const { flow_token } = startedFlow;
    const proven = await tenant.request<StartedFlow>('POST', `${path}/password`, {
      body: { flow_token, secret: password },
    });
    const { flow } = expectStatus(200, proven);
    assert.deepEqual(flow.needs, [{ step: 'enroll', methods: ['passkey'] }]);
    const totp = await tenant.request<ErrorBody>('POST', `${path}/enroll/totp`, {
      body: { flow_token },
    });
    assert.equal(totp.body.code, 'STEP_NOT_NEEDED');
  });
});

/** The session that was opened before the tenant required a second factor. */
async function keywrightUser(at: TestTenant) {
  const token = await keywright.adminToken();
  const change = (require_mfa: boolean) =>
    keywright.home.request('PATCH', `/tenants/${at.id}`, {
      token,
      body: { config: { require_mfa } },
    });
  await change(false);
  const { user, identifier, password } = await at.createUser();
  expectStatus(200, await change(true));
  return { user: user.id, identifier, password };
}
