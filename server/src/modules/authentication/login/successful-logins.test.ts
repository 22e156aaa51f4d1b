// Successful logins do not change the counters of attempts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import { newcomer } from '../../../tenancy/counters.ts';

const HOME = '203.0.113.7';

interface StartedFlow {
  readonly flow: { readonly id: string };
  readonly flow_token: string;
}

interface Attempt {
  readonly identifier: string;
  readonly secret?: string;
  /** The client address, as reported by the proxy. */
  readonly from?: string;
}

let keywright: Keywright;
let tenants = 0;

before(async () => {
  const env = { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1' };
  keywright = await startKeywright({ clock: 'fake', env });
});
after(() => keywright.close());

function freshTenant(limit: number): Promise<TestTenant> {
  tenants += 1;
  const config = { login_attempts_limit: limit, login_attempts_window: 60 };
  return keywright.tenant(`successful-${tenants}`, { config });
}

function attempt(tenant: TestTenant, { identifier, secret = newPassword(), from = HOME }: Attempt) {
  const options = { headers: { 'x-forwarded-for': from }, body: { identifier, secret } };
  return tenant.request<ErrorBody>('POST', '/auth/login', options);
}

test('A successful two-step login is not counted, with its password sent to the login or to a flow', async () => {
  const tenant = await freshTenant(1);
  const { identifier, password: secret, token } = await tenant.createUser();
  const { secret: key } = await enrollTotp(tenant, token, keywright.clock);
  const headers = { 'x-forwarded-for': HOME };
  for (let time = 0; time < 24; time += 1) {
    keywright.clock.advance(30);
    const isFlow = time % 2 === 0;
    const started = isFlow
      ? await tenant.request<StartedFlow>('POST', '/auth/flows', { headers, body: { identifier } })
      : undefined;
    const { flow, flow_token } = started ? expectStatus(201, started) : await offeredFlow();
    if (started) {
      const body = { flow_token, secret };
      const path = `/auth/flows/${flow.id}/password`;
      expectStatus(200, await tenant.request('POST', path, { headers, body }));
    }
    const body = { flow_token, code: totpOf(key, keywright.clock.now()) };
    const path = `/auth/flows/${flow.id}/totp`;
    expectStatus(200, await tenant.request('POST', path, { headers, body }));
  }

  async function offeredFlow(): Promise<StartedFlow> {
    const refused = expectStatus(401, await attempt(tenant, { identifier, secret }));
    assert.equal(refused.code, 'MFA_REQUIRED');
    const { flow_token, ...flow } = refused['flow'] as StartedFlow['flow'] & { flow_token: string };
    return { flow, flow_token };
  }
});

test('A successful login gives back its own attempt, and no failures of its network', async () => {
  const tenant = await freshTenant(10);
  const { identifier, password: secret } = await tenant.createUser();
  const from = '203.0.113.8';
  for (let time = 0; time < 3; time += 1) {
    expectStatus(401, await attempt(tenant, { identifier, from }));
  }
  expectStatus(200, await attempt(tenant, { identifier, secret }));
  const { subject } = newcomer('login newcomer', from, identifier);
  const [row] = await keywright.database.query<{ attempts: number }>(
    'SELECT attempts FROM login_attempts WHERE tenant_id = $1 AND subject = $2',
    [tenant.id, subject],
  );
  assert.equal(row?.attempts, 3);
});
