// A passkey that is older than a change of identifiers undoes the change, in a tenant whose logins cannot start with
// a passkey.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import { newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import {
  startPasskeyFlow,
  type Odd,
  requestOptions,
  TestPasskey,
} from '@keywright/tests/harness/passkey';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import {
  addAddress,
  type ChangedUser,
  recordPasskey,
  undoOptions,
} from '@keywright/tests/harness/undo';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
  keywright = await startKeywright({ clock: 'fake', env });
  tenant = await keywright.tenant('without-passkey-logins', {
    config: { allowed_login_methods: ['password', 'magic_link'], notify_new_device: false },
  });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

let addresses = 0;

function post(path: string, body: object, at = tenant): Promise<Answer<ErrorBody>> {
  const headers = { 'x-forwarded-for': `203.0.113.${(addresses += 1) % 250}` };
  return at.request<ErrorBody>('POST', path, { body, headers });
}

const undo = (body: object) => post('/auth/identifiers/undo', body);

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

interface Changed extends ChangedUser {
  readonly passkey: TestPasskey;
}

/** An account with a passkey, and optionally with a password. */
async function changed({ keepsPassword = false } = {}): Promise<Changed> {
  const user = await tenant.createUser();
  if (!keepsPassword) {
    await keywright.database.query('DELETE FROM user_credentials WHERE user_id = $1', [
      user.user.id,
    ]);
  }
  const change = await addAddress(sink, tenant, user);
  return { ...change, passkey: await recordPasskey(keywright, tenant, change) };
}

/** An undo with a passkey. */
async function prove({ undoToken }: ChangedUser, passkey: TestPasskey, odd: Odd = {}) {
  const assertion = passkey.get(await undoOptions(tenant, undoToken), odd);
  return undo({ undo_token: undoToken, credential: assertion });
}

async function addressesOf({ user: { user } }: ChangedUser): Promise<string[]> {
  const token = await tenant.adminToken();
  const path = `/users/${user.id}`;
  const answer = await tenant.request<{ identifiers: IdentifierRecord[] }>('GET', path, { token });
  return expectStatus(200, answer).identifiers.map(({ identifier }) => identifier);
}

async function assertUnchanged(change: ChangedUser): Promise<void> {
  assert.deepEqual(await addressesOf(change), [change.user.identifier, change.added]);
}

describe('a passkey that an account had before the change', () => {
  test('A passkey from before the change undoes it, and opens no session', async () => {
    const change = await changed();
    refused(await undo({ undo_token: change.undoToken }), 401, 'PROOF_REQUIRED');
    assert.deepEqual(expectStatus(200, await prove(change, change.passkey)), { restored: true });
    assert.deepEqual(await addressesOf(change), [change.user.identifier]);
    const sessions = await keywright.database.query(
      'SELECT is_active FROM sessions WHERE user_id = $1',
      [change.user.user.id],
    );
    assert.deepEqual(sessions, [{ is_active: false }]);
  });

  test('A passkey from before the change undoes it after too many wrong passwords', async () => {
    const change = await changed({ keepsPassword: true });
    const guess = () => undo({ undo_token: change.undoToken, password: newPassword() });
    for (let time = 0; time < 10; time += 1) refused(await guess(), 401, 'PROOF_REQUIRED');
    refused(await guess(), 429, 'TOO_MANY_ATTEMPTS');
    expectStatus(200, await prove(change, change.passkey));
  });

  test('An altered assertion, or one for another purpose, undoes nothing', async () => {
    const [change, other] = [await changed({ keepsPassword: true }), await changed()];
    const { passkey, undoToken, user } = change;
    const flow = await startPasskeyFlow(tenant, { identifier: user.identifier });
    const first = { flow_token: flow.flow_token, secret: user.password };
    expectStatus(200, await post(`/auth/flows/${flow.flow.id}/password`, first));
    const login = passkey.get(await requestOptions(tenant, flow));
    const options = await undoOptions(tenant, other.undoToken);
    const late = passkey.get(await undoOptions(tenant, undoToken));
    keywright.clock.advance(600);
    const answers = [
      await undo({ undo_token: undoToken, credential: login }),
      await undo({ undo_token: undoToken, credential: passkey.get(options) }),
      await undo({ undo_token: undoToken, credential: late }),
      await prove(change, passkey, { clientData: { challenge: 'AAAA' } }),
      await prove(change, passkey, { origin: 'https://evil.example' }),
      await prove(change, passkey, { rpId: 'evil.example' }),
      await prove(change, passkey, { flags: 0x01 }),
      await prove(change, passkey, { userHandle: null }),
      await prove(change, passkey, { key: new TestPasskey().key }),
    ];
    for (const answer of answers) refused(answer, 401, 'PROOF_REQUIRED');
    await assertUnchanged(change);
    expectStatus(200, await prove(change, passkey));
  });

  test('A removed passkey, or one whose counter does not increase, undoes nothing', async () => {
    const [removed, copied] = [await changed(), await changed()];
    copied.passkey.counter = 7;
    await keywright.database.query('UPDATE user_factors SET counter = 7 WHERE user_id = $1', [
      copied.user.user.id,
    ]);
    refused(await prove(copied, copied.passkey), 401, 'PROOF_REQUIRED');
    await assertUnchanged(copied);
    const suspicions = await keywright.database.query(
      `SELECT details->>'user_id' AS user_id FROM audit_entries
        WHERE tenant_id = $1 AND action = 'factor.suspicious'`,
      [tenant.id],
    );
    assert.deepEqual(suspicions, [{ user_id: copied.user.user.id }]);
    copied.passkey.counter = 8;
    expectStatus(200, await prove(copied, copied.passkey));
    const options = await undoOptions(tenant, removed.undoToken);
    await keywright.database.query('DELETE FROM user_factors WHERE user_id = $1', [
      removed.user.user.id,
    ]);
    const assertion = removed.passkey.get(options);
    const answer = await undo({ undo_token: removed.undoToken, credential: assertion });
    refused(answer, 401, 'PROOF_REQUIRED');
  });
});

describe('another passkey', () => {
  test('A passkey of another user, or one that was added after the change, undoes nothing', async () => {
    const [change, other] = [await changed(), await changed()];
    refused(await prove(change, other.passkey), 401, 'PROOF_REQUIRED');
    const assertion = change.passkey.get(await undoOptions(tenant, change.undoToken));
    await keywright.database.query(
      `UPDATE identifier_undos SET factors = '{fct_former}' WHERE user_id = $1`,
      [change.user.user.id],
    );
    const answer = await undo({ undo_token: change.undoToken, credential: assertion });
    refused(answer, 401, 'PROOF_REQUIRED');
    await assertUnchanged(change);
  });
});

describe('the options for a passkey of an undo', () => {
  test('The options of an undo name no passkey, and are the same for a wrong token and one of another tenant', async () => {
    const change = await changed();
    assert.deepEqual((await undoOptions(tenant, change.undoToken)).allowCredentials, []);
    const elsewhere = await keywright.tenant('elsewhere', {});
    const path = '/auth/identifiers/undo/passkey';
    for (const undo_token of ['und_x', change.undoToken]) {
      refused(await post(path, { undo_token }, elsewhere), 401, 'FLOW_ENDED');
    }
    expectStatus(200, await prove(change, change.passkey));
    refused(await post(path, { undo_token: change.undoToken }), 401, 'FLOW_ENDED');
  });

  test('The options of an undo are refused for an account that had no passkey', async () => {
    const { undoToken } = await addAddress(sink, tenant, await tenant.createUser());
    const answer = await post('/auth/identifiers/undo/passkey', { undo_token: undoToken });
    refused(answer, 400, 'STEP_NOT_NEEDED');
  });
});
