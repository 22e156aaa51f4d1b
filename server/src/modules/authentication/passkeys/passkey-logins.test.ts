import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import {
  addPasskey,
  startPasskeyFlow,
  FLAG,
  type Odd,
  provePasskey,
  requestOptions,
  TestPasskey,
} from '@keywright/tests/harness/passkey';
import { startSecondStep } from '@keywright/tests/harness/second-step';
import { watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  const config = { login_attempts_limit: 10_000 };
  tenant = await keywright.tenant('passkeys', { config });
  other = await keywright.tenant('elsewhere', { config });
});

after(() => keywright.close());

async function enrolled(at = tenant, passkey = new TestPasskey()) {
  const user = await at.createUser();
  return { user, ...(await addPasskey(at, user.token, passkey)) };
}

async function login(passkey: TestPasskey, odd: Odd = {}, body = {}) {
  await keywright.database.query('DELETE FROM login_attempts');
  const flow = await startPasskeyFlow(tenant, body);
  const options = await requestOptions(tenant, flow);
  return provePasskey(tenant, flow, passkey.get(options, odd));
}

function refused(answer: Answer<JsonBody>, code = 'PASSKEY_REFUSED'): void {
  assert.equal(answer.body['code'], code, answer.text);
}

test('A login costs one statement for its challenge, and three for its passkey and its session', async () => {
  const { passkey } = await enrolled();
  expectStatus(200, await login(passkey));
  const flow = await startPasskeyFlow(tenant);
  const statements = watchStatements();
  try {
    const options = await requestOptions(tenant, flow);
    expectStatus(200, await provePasskey(tenant, flow, passkey.get(options)));
  } finally {
    statements.stop();
  }
  assert.deepEqual(statements.sent, [
    'kw_start_passkey',
    'kw_take_passkey',
    'kw_use_passkeys',
    'kw_finish_logins',
  ]);
});

describe('a passkey', () => {
  for (const algorithm of [-7, -8, -257] as const) {
    test(`A passkey logs in alone, without an identifier, with algorithm ${algorithm}`, async () => {
      const { user, passkey, accepted_passkeys } = await enrolled(
        tenant,
        new TestPasskey({ algorithm }),
      );
      const answer = expectStatus(200, await login(passkey));
      assert.equal(answer.user?.id, user.user.id);
      const { acr, amr } = claimsOf(answer.access_token ?? '');
      assert.deepEqual([acr, amr], ['phr', ['pop', 'user', 'hwk', 'mfa']]);
      assert.deepEqual(answer.accepted_passkeys, accepted_passkeys);
      assert.deepEqual(accepted_passkeys.allAcceptedCredentialIds, [
        passkey.id.toString('base64url'),
      ]);
    });
  }

  test('A passkey satisfies require_mfa, and is named swk if it is synced', async () => {
    const strict = await keywright.tenant('strict', {
      config: { allowed_login_methods: ['password', 'passkey'] },
    });
    const { passkey } = await enrolled(strict, new TestPasskey({ isSynced: true }));
    const token = await keywright.adminToken();
    const options = { token, body: { config: { require_mfa: true } } };
    expectStatus(200, await keywright.home.request('PATCH', `/tenants/${strict.id}`, options));
    const flow = await startPasskeyFlow(strict);
    const answer = await provePasskey(
      strict,
      flow,
      passkey.get(await requestOptions(strict, flow)),
    );
    const { acr, amr } = claimsOf(expectStatus(200, answer).access_token ?? '');
    assert.deepEqual([acr, amr], ['phr', ['pop', 'user', 'swk', 'mfa']]);
  });

  test('A passkey is the second factor after a password, by the IDs of the user', async () => {
    const { user, passkey } = await enrolled();
    const offered = await startSecondStep(tenant, user);
    assert.deepEqual(offered.needs, [{ step: 'passkey' }, { step: 'recovery_code' }]);
    const flow = { flow: offered, flow_token: offered.flow_token ?? '' };
    const options = await requestOptions(tenant, flow);
    assert.deepEqual(
      options.allowCredentials.map(({ id }) => id),
      [passkey.id.toString('base64url')],
    );
    // Authenticators can omit the user handle if the options named the passkey.
    const credential = passkey.get(options, { userHandle: null });
    const { access_token = '' } = expectStatus(200, await provePasskey(tenant, flow, credential));
    assert.deepEqual(claimsOf(access_token).amr, ['pwd', 'pop', 'user', 'hwk', 'mfa']);
  });

  test('A passkey remains a second factor in a tenant whose logins cannot begin with one', async () => {
    const plain = await keywright.tenant('plain', {
      config: { allowed_login_methods: ['password'] },
    });
    const { user, passkey } = await enrolled(plain);
    const { status } = await plain.request('POST', '/auth/flows', { body: {} });
    assert.equal(status, 400);
    const offered = await startSecondStep(plain, user);
    const flow = { flow: offered, flow_token: offered.flow_token ?? '' };
    const credential = passkey.get(await requestOptions(plain, flow));
    expectStatus(200, await provePasskey(plain, flow, credential));
  });

  test('A passkey must belong to the identifier of the flow, and an unknown identifier gets the same response', async () => {
    const [mine, theirs] = [await enrolled(), await enrolled()];
    const { identifier } = theirs.user;
    const wrong = await login(mine.passkey, {}, { identifier });
    const unknown = await login(mine.passkey, {}, { identifier: newIdentifier() });
    refused(wrong);
    assert.equal(wrong.text, unknown.text);
    expectStatus(200, await login(theirs.passkey, {}, { identifier }));
  });

  test('The options before a proof are the same for every identifier', async () => {
    const { user } = await enrolled();
    const offeredFor = async (body: object) => {
      const started = await startPasskeyFlow(tenant, { ...body });
      const { challenge, ...options } = await requestOptions(tenant, started);
      assert.equal(Buffer.from(challenge, 'base64url').length, 32);
      return { needs: started.flow.needs, options };
    };
    const existing = await offeredFor({ identifier: user.identifier });
    assert.deepEqual(existing, await offeredFor({ identifier: newIdentifier() }));
    assert.deepEqual(existing.options.allowCredentials, []);
    assert.deepEqual((await offeredFor({})).needs, [{ step: 'passkey' }]);
  });

  test('A passkey is accepted once for each challenge, in its own flow, and only in time', async () => {
    const { passkey } = await enrolled();
    const [flow, another] = [await startPasskeyFlow(tenant), await startPasskeyFlow(tenant)];
    const options = await requestOptions(tenant, flow);
    const first = passkey.get(options);
    refused(await provePasskey(tenant, another, first));
    const newer = await requestOptions(tenant, flow);
    refused(await provePasskey(tenant, flow, first));
    refused(
      await provePasskey(tenant, flow, passkey.get(newer, { origin: 'https://evil.example' })),
    );
    keywright.clock.advance(5 * 60);
    refused(await provePasskey(tenant, flow, passkey.get(newer)));
    const last = passkey.get(await requestOptions(tenant, flow));
    expectStatus(200, await provePasskey(tenant, flow, last));
    refused(await provePasskey(tenant, flow, last), 'FLOW_ENDED');
  });

  test('A passkey with a wrong signature uses up the challenge', async () => {
    const { passkey } = await enrolled();
    const flow = await startPasskeyFlow(tenant);
    const options = await requestOptions(tenant, flow);
    refused(await provePasskey(tenant, flow, passkey.get(options, { key: new TestPasskey().key })));
    refused(await provePasskey(tenant, flow, passkey.get(options)));
  });

  test('A passkey of another tenant on the same domain is unknown', async () => {
    const { passkey } = await enrolled(other);
    const answer = await login(passkey);
    refused(answer);
    const credentialId = passkey.id.toString('base64url');
    assert.deepEqual(answer.body.unknown_passkey, { rpId: 'id.example.com', credentialId });
  });

  test('A passkey that was removed, or whose user is inactive, opens no session', async () => {
    const [removed, inactive] = [await enrolled(), await enrolled()];
    const token = (await login(removed.passkey)).body.access_token ?? '';
    const gone = await tenant.request('DELETE', `/me/factors/${removed.factor.id}`, { token });
    expectStatus(200, gone);
    const answer = await login(removed.passkey);
    refused(answer);
    assert.ok(answer.body.unknown_passkey);
    const admin = await tenant.adminToken();
    const path = `/users/${inactive.user.user.id}/disable`;
    expectStatus(
      200,
      await tenant.request('POST', path, { token: admin, body: { reason: 'gone' } }),
    );
    const disabled = await login(inactive.passkey);
    refused(disabled);
    assert.equal(disabled.body.unknown_passkey, undefined);
  });

  const ODDITIES: Readonly<Record<string, Odd>> = {
    'without user verification': { flags: FLAG.up },
    'without user presence': { flags: FLAG.uv },
    'backed up although it cannot be': { flags: FLAG.up | FLAG.uv | FLAG.bs },
    'eligible for backup, which it was not': { flags: FLAG.up | FLAG.uv | FLAG.be },
    'of another domain': { rpId: 'evil.example' },
    'of another origin': { origin: 'https://id.example.com.evil.example' },
    'of another ceremony': { clientData: { type: 'webauthn.create' } },
    'of a frame on another site': { clientData: { crossOrigin: true } },
    'that names a page around it': { clientData: { topOrigin: 'https://evil.example' } },
    'of another key': { key: new TestPasskey().key },
    'of another user': { userHandle: Buffer.alloc(32).toString('base64url') },
    'without a user handle': { userHandle: null },
    'with more data than it says': { trailing: Buffer.from([0]) },
  };
  for (const [what, odd] of Object.entries(ODDITIES)) {
    test(`${what} is refused, and does not count as unknown`, async () => {
      const { passkey } = await enrolled();
      const answer = await login(passkey, odd);
      refused(answer);
      assert.equal(answer.body.unknown_passkey, undefined);
      expectStatus(200, await login(passkey));
    });
  }
});

describe('the counter of a passkey', () => {
  test('A counter that does not increase is refused, and its user is notified', async () => {
    const { user, passkey, factor } = await enrolled();
    for (const counter of [7, 8]) expectStatus(200, await login(passkey, { counter }));
    for (const counter of [8, 7, 0]) refused(await login(passkey, { counter }));
    expectStatus(200, await login(passkey, { counter: 9 }));
    const rows = await keywright.database.query<{ data: { reason: string } }>(
      `SELECT data FROM events WHERE tenant_id = $1 AND type = 'factor.suspicious' AND data->>'factor_id' = $2`,
      [tenant.id, factor.id],
    );
    const data = {
      tenant_id: tenant.id,
      factor_id: factor.id,
      user_id: user.user.id,
      reason: 'counter_not_increased',
    };
    assert.deepEqual(
      rows.map((row) => row.data),
      [data, data, data],
    );
  });

  test('A counter that stays 0 is accepted, because the authenticator does not count', async () => {
    const { passkey } = await enrolled();
    for (let count = 0; count < 2; count += 1) expectStatus(200, await login(passkey));
  });
});
