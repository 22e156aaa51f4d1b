// A provider with another issuer must not take over the users who are linked to it.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import type { ErrorBody } from '@keywright/contract/errors';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { newClient } from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import {
  addProvider,
  startUpstreamFlow,
  comeBack,
  type FakeProvider,
  flowStep,
  goToProvider,
  handoffOf,
  proveUpstream,
  startFakeProvider,
} from '@keywright/tests/harness/upstream';
import { startUpstreamLogin, type UpstreamLogin } from '@keywright/tests/harness/upstream-login';

let upstream: UpstreamLogin;
let keywright: Keywright;
let tenant: TestTenant;
let honest: FakeProvider;
let malicious: FakeProvider;

before(async () => {
  upstream = await startUpstreamLogin({ slug: 'repointed' });
  ({ keywright, tenant, provider: honest } = upstream);
  malicious = await startFakeProvider();
});
after(async () => {
  await upstream.close();
  await malicious.close();
});
beforeEach(() => keywright.database.query('DELETE FROM login_attempts'));

const newPerson = () => upstream.newPerson();

async function change({ id }: IdentityProviderRecord, body: object) {
  const options = { token: await tenant.adminToken(), body: { ...body, skip_test: true } };
  return tenant.request<ErrorBody>('PATCH', `/identity-providers/${id}`, options);
}

const toMalicious = () => ({ issuer: malicious.issuer, client_secret: malicious.clientSecret });

async function waits(statement: string): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE $1`;
  await until('it waits', async () => (await keywright.database.query(waiting, [statement]))[0]);
}

test('A provider keeps its issuer while users have identities there, and can change otherwise', async () => {
  const record = await addProvider(tenant, honest);
  const person = newPerson();
  const flow = await startUpstreamFlow(tenant);
  expectStatus(200, await proveUpstream(tenant, flow, { provider: honest, record }, person));
  const refused = await change(record, toMalicious());
  assert.equal(`${refused.status} ${refused.body.code}`, '400 IN_USE');
  const other = { name: 'Another name', client_id: 'another', client_secret: 'another' };
  expectStatus(200, await change(record, other));
  await keywright.database.query('DELETE FROM user_credentials WHERE provider = $1', [record.id]);
  expectStatus(200, await change(record, toMalicious()));
});

test('A provider keeps its issuer while an application accepts its assertions', async () => {
  const record = await addProvider(tenant, honest);
  const client = await newClient(tenant);
  const identity_assertions = { audiences: [], providers: [record.id] };
  const options = { token: await tenant.adminToken(), body: { identity_assertions } };
  expectStatus(200, await tenant.request('PATCH', `/clients/${client.id}`, options));
  assert.equal((await change(record, toMalicious())).body.code, 'IN_USE');
});

test('An identity that was confirmed by another issuer is not linked after a change of the issuer', async () => {
  const record = await addProvider(tenant, malicious);
  const flow = await startUpstreamFlow(tenant);
  const at = await goToProvider(tenant, flow, record);
  const handoff = handoffOf(await comeBack(tenant, malicious.authorize(at, newPerson())));
  const { issuer, clientSecret: client_secret } = honest;
  expectStatus(200, await change(record, { issuer, client_secret }));
  const late = await flowStep(tenant, flow, 'oauth/finish', { handoff });
  assert.equal(late.body.code, 'FLOW_ENDED');
  const linked = await keywright.database.query(
    'SELECT FROM user_credentials WHERE provider = $1',
    [record.id],
  );
  assert.equal(linked.length, 0);
});

test('A change of the issuer waits for a link in progress, and is then refused', async () => {
  const record = await addProvider(tenant, honest);
  const flow = await startUpstreamFlow(tenant);
  const at = await goToProvider(tenant, flow, record);
  const handoff = handoffOf(await comeBack(tenant, honest.authorize(at, newPerson())));
  await tenant.adminToken();
  const holder = new pg.Client(keywright.database.superuserUrl);
  await holder.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE user_credentials IN EXCLUSIVE MODE');
    const linking = flowStep(tenant, flow, 'oauth/finish', { handoff });
    await waits('insert into "user_credentials"%');
    const changing = change(record, toMalicious());
    await waits('select%"identity_providers"%for update');
    await holder.query('COMMIT');
    expectStatus(200, await linking);
    assert.equal((await changing).body.code, 'IN_USE');
  } finally {
    await holder.end();
  }
});
