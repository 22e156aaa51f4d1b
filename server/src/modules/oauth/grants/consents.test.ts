import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OAuthClientId, UserId } from '@keywright/contract/ids';
import type { ConsentRecord } from '@keywright/contract/records/consent';
import { newSessionId } from '@keywright/server/platform/crypto/ids';
import { consent } from '@keywright/tests/harness/consent';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;
let alice: TestUser;
let bob: TestUser;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('consents');
  alice = await tenant.createUser();
  bob = await tenant.createUser();
});
after(() => keywright.close());

async function createClient(): Promise<OAuthClientId> {
  const body = {
    name: 'Invoices',
    kind: 'web',
    redirect_uris: ['https://app.example.com/callback'],
  };
  const token = await tenant.adminToken();
  const answer = await tenant.request('POST', '/clients', { token, body });
  return String(expectStatus(201, answer)['id']) as OAuthClientId;
}

/** A session of the client for the user. */
async function openSession(userId: UserId, clientId: OAuthClientId): Promise<string> {
  const id = newSessionId(new Date());
  await keywright.database.query(
    `INSERT INTO sessions (tenant_id, id, user_id, workspace_id, ip_address, created_at, expires_at,
       absolute_expires_at, kind, client_id, scopes, auth_time, acr, amr, refresh_hash, refresh_kid, refresh_issued_at)
     VALUES ($1, $2, $3, 'ws_default', '192.0.2.1', now(), now() + '1 day'::interval, now() + '1 day'::interval,
       'client', $4, '{openid}', now(), 'aal1', '{pwd}', '\\x00', 'kid', now())`,
    [tenant.id, id, userId, clientId],
  );
  return id;
}

async function isAlive(sessionId: string): Promise<boolean> {
  const [row] = await keywright.database.query<{ is_active: boolean }>(
    'SELECT is_active FROM sessions WHERE tenant_id = $1 AND id = $2',
    [tenant.id, sessionId],
  );
  return row?.is_active === true;
}

function allow(user: TestUser, clientId: string, scopes?: string[]): Promise<string> {
  return consent(keywright, tenant.id, {
    userId: user.user.id,
    clientId,
    ...(scopes && { scopes }),
  });
}

async function consentsOf(user: TestUser): Promise<readonly ConsentRecord[]> {
  const answer = await tenant.request('GET', '/me/consents', { token: user.token });
  return expectStatus(200, answer)['items'] as readonly ConsentRecord[];
}

describe('consents', () => {
  test('A consent is listed to its user alone, with the name of the application', async () => {
    const clientId = await createClient();
    const id = await allow(alice, clientId, ['openid', 'email']);
    const listed = (await consentsOf(alice)).find((record) => record.id === id);
    assert.deepEqual(
      [listed?.user_id, listed?.client_id, listed?.client_name, listed?.scopes],
      [alice.user.id, clientId, 'Invoices', ['openid', 'email']],
    );
    assert.ok((await consentsOf(bob)).every((record) => record.id !== id));
  });

  test('A consent is listed to administrators, by user and by client', async () => {
    const clientId = await createClient();
    const ids = [await allow(alice, clientId), await allow(bob, clientId)];
    const token = await tenant.adminToken();
    const list = async (query: string) => {
      const answer = await tenant.request('GET', `/consents?${query}`, { token });
      return (expectStatus(200, answer)['items'] as ConsentRecord[]).map((record) => record.id);
    };
    assert.deepEqual((await list(`client_id=${clientId}`)).toSorted(), ids.toSorted());
    assert.deepEqual(await list(`client_id=${clientId}&user_id=${bob.user.id}`), [ids[1]]);
  });
});

describe('the withdrawal of a consent', () => {
  test('A withdrawal ends the sessions of that client for that user, and no others', async () => {
    const [clientId, other] = [await createClient(), await createClient()];
    const id = await allow(alice, clientId);
    const [ended, others, bobs] = [
      await openSession(alice.user.id, clientId),
      await openSession(alice.user.id, other),
      await openSession(bob.user.id, clientId),
    ];
    const path = `/me/consents/${id}`;
    expectStatus(200, await tenant.request('DELETE', path, { token: alice.token }));
    const alive = await Promise.all([ended, others, bobs].map(isAlive));
    assert.deepEqual(alive, [false, true, true]);
    assert.ok((await consentsOf(alice)).every((record) => record.id !== id));
    expectStatus(404, await tenant.request('DELETE', path, { token: alice.token }));
  });

  test('A withdrawal is not possible for another user, as if there were no consent', async () => {
    const id = await allow(alice, await createClient());
    const path = `/me/consents/${id}`;
    expectStatus(404, await tenant.request('DELETE', path, { token: bob.token }));
    assert.ok((await consentsOf(alice)).some((record) => record.id === id));
  });

  test('A withdrawal is possible for an administrator', async () => {
    const clientId = await createClient();
    const id = await allow(bob, clientId);
    const session = await openSession(bob.user.id, clientId);
    const token = await tenant.adminToken();
    expectStatus(200, await tenant.request('DELETE', `/consents/${id}`, { token }));
    assert.equal(await isAlive(session), false);
  });
});

test('A deleted client loses its sessions and its consents', async () => {
  const clientId = await createClient();
  const id = await allow(alice, clientId);
  const session = await openSession(alice.user.id, clientId);
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request('DELETE', `/clients/${clientId}`, { token }));
  assert.equal(await isAlive(session), false);
  assert.ok((await consentsOf(alice)).every((record) => record.id !== id));
});
