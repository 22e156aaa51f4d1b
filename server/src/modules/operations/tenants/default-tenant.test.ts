import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { startSecondStep, proveSecondFactor } from '@keywright/tests/harness/second-step';
import type { Credentials } from '@keywright/tests/harness/tenant';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';

const PERIOD = 30;

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
});

after(() => keywright.close());

function demand(token: string, config: object, query = ''): Promise<Answer<ErrorBody>> {
  const path = `/tenants/org_default${query}`;
  return keywright.home.request('PATCH', path, { token, body: { config } });
}

function refusedBecause(answer: Answer<ErrorBody>, why: RegExp): void {
  const { code, errors } = expectStatus(400, answer);
  assert.equal(code, 'VALIDATION_FAILED');
  assert.match(errors?.[0]?.message ?? '', why);
}

/** A token of a login with a new authenticator. */
async function withSecondFactor({ identifier, password }: Credentials): Promise<string> {
  const { home } = keywright;
  const first = await home.login(identifier, password);
  const { secret } = await enrollTotp(home, first.access_token, keywright.clock);
  keywright.clock.advance(2 * PERIOD);
  const flow = await startSecondStep(home, { identifier, password });
  const code = totpOf(secret, keywright.clock.now());
  const answer = await proveSecondFactor(home, 'totp', flow, code);
  return expectStatus(200, answer).access_token ?? '';
}

test('The default tenant can require verified identifiers only once the administrator who requests it has one', async () => {
  const { identifier, password, user } = await keywright.createUser({ roles: ['system_admin'] });
  const { access_token: token } = await keywright.home.login(identifier, password);
  const email = { smtp_host: 'mail.example.com', smtp_port: 587, from_address: 'a@example.com' };
  const change = (config: object, server: object | null = email) =>
    keywright.home.request<ErrorBody>('PATCH', '/tenants/org_default', {
      token,
      body: { config, messaging: { email: server } },
    });
  refusedBecause(await change({ require_verified_identifier: true }), /verified identifier/);
  await keywright.database.query('UPDATE user_identifiers SET verified = true WHERE user_id = $1', [
    user.id,
  ]);
  expectStatus(200, await change({ require_verified_identifier: true }));
  await keywright.home.login(identifier, password);
  expectStatus(200, await change({ require_verified_identifier: false }, null));
});

test('The default tenant can require a second factor once no one can be locked out by it', async () => {
  const { home, database } = keywright;
  const roles = ['system_admin'];
  const [admin, other] = [
    await keywright.createUser({ roles }),
    await keywright.createUser({ roles }),
  ];
  const settings = [{ require_mfa: true }, { require_mfa_role: 'system_admin' }];
  const plain = await home.login(admin.identifier, admin.password);
  for (const config of settings) {
    for (const query of ['', '?dry_run=true']) {
      refusedBecause(await demand(plain.access_token, config, query), /sign in again/);
    }
  }
  const strong = await withSecondFactor(admin);
  const codes = "DELETE FROM user_factors WHERE type = 'recovery_codes' AND user_id = $1";
  await database.query(codes, [plain.user.id]);
  refusedBecause(await demand(strong, { require_mfa: true }), /recovery codes/);
  await withSecondFactor(other);
  for (const query of ['?dry_run=true', '']) {
    expectStatus(200, await demand(strong, { require_mfa: true }, query));
  }
  const { identifier, password } = keywright.admin;
  const flow = await startSecondStep(home, { identifier, password });
  assert.deepEqual(flow.needs, [{ step: 'enroll', methods: ['passkey', 'totp'] }]);
  // Any caller who may change settings may repeat a requirement that is already in force.
  expectStatus(200, await demand(plain.access_token, { require_mfa: true }));
  expectStatus(200, await demand(plain.access_token, { require_mfa: false }));
});

test('The recovery codes of the caller count as another way in when a second factor becomes required', async () => {
  const { identifier, password } = await keywright.createUser({ roles: ['system_admin'] });
  const sole = 'UPDATE users SET is_active = (id = $1) WHERE tenant_id = $2';
  const strong = await withSecondFactor({ identifier, password });
  const [row] = await keywright.database.query<{ user_id: string }>(
    'SELECT user_id FROM user_identifiers WHERE identifier = $1',
    [identifier],
  );
  await keywright.database.query(sole, [row?.user_id, keywright.home.id]);
  expectStatus(200, await demand(strong, { require_mfa_role: 'system_admin' }));
  expectStatus(200, await demand(strong, { require_mfa_role: null }));
});
