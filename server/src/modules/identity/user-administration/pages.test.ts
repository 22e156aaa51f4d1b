// Requests that arrive together share one statement.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { UserRecord } from '@keywright/contract/records/user';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';

const QUERIES = [
  '',
  '?limit=2',
  '?limit=2&page=2',
  '?limit=3&sort=created_at',
  '?limit=2&page=3&sort=identifier',
  '?sort=-identifier',
  '?page=9',
];

let keywright: Keywright;
let tenants: readonly TestTenant[];

before(async () => {
  keywright = await startKeywright();
  tenants = await Promise.all(['one', 'two', 'three'].map((name) => keywright.tenant(name)));
  for (const [place, tenant] of tenants.entries()) {
    for (let number = 0; number <= place + 2; number += 1) await addUser(tenant, number);
  }
  await Promise.all(tenants.map(waitForLogin));
});

after(() => keywright.close());

/**
 * Every tenant has the same addresses. A user with several identifiers, roles or workspaces has them in an unsorted
 * order.
 */
async function addUser(at: TestTenant, number: number): Promise<void> {
  const token = await at.adminToken();
  const identifier = `person-${number}@example.com`;
  const appearance = { name: `Person ${number}`, picture: `https://cdn.example.com/${number}.png` };
  const roles = ['member', 'admin'];
  const create = { identifier, password: 'not a common password', roles, ...appearance };
  const created = await at.request<{ id: string }>('POST', '/users', { token, body: create });
  const { id } = expectStatus(201, created);
  const identifiers = [{ identifier: `work-${number}@example.com` }, { identifier }];
  const changed = await at.request('PATCH', `/users/${id}`, { token, body: { identifiers } });
  expectStatus(200, changed);
}

/** Waits until the list shows the login of the administrator, which is written after the response. */
async function waitForLogin(tenant: TestTenant): Promise<void> {
  const token = await tenant.adminToken();
  const { sub, auth_time: seconds } = claimsOf(token);
  const minute = Math.floor(Number(seconds) / 60) * 60_000;
  await until('the login of the administrator', async () => {
    const answer = await tenant.request<UserRecord>('GET', `/users/${sub}`, { token });
    return Date.parse(expectStatus(200, answer).last_login_at ?? '') >= minute;
  });
}

test('Pages requested concurrently by several tenants equal those requested alone', async () => {
  const requests = QUERIES.flatMap((query) => tenants.map((tenant) => ({ tenant, query })));
  const fetchPage = async ({ tenant, query }: (typeof requests)[number]): Promise<unknown> => {
    const token = await tenant.adminToken();
    const answer: Answer<object> = await tenant.request('GET', `/users${query}`, { token });
    return expectStatus(200, answer);
  };
  const alone: unknown[] = [];
  for (const request of requests) alone.push(await fetchPage(request));
  assert.deepEqual(await Promise.all(requests.map(fetchPage)), alone);
});

test('A user in a list equals the user read alone', async () => {
  const [, tenant] = tenants as [TestTenant, TestTenant];
  const token = await tenant.adminToken();
  const list = await tenant.request<{ items: { id: string }[] }>('GET', '/users', { token });
  for (const item of expectStatus(200, list).items) {
    const alone = await tenant.request('GET', `/users/${item.id}`, { token });
    assert.deepEqual(item, expectStatus(200, alone));
  }
});
