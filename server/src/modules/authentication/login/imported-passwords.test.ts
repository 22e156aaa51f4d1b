import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ForeignPassword } from '@keywright/contract/records/user-import';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { bcryptOf, pbkdf2Of } from '@keywright/tests/harness/foreign-passwords';
import { type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { algorithmOf } from '../../../platform/crypto/foreign-hash.ts';
import type { ForeignHashes } from '../../../tenancy/tenant.ts';
import { decoyFor } from '../passwords/password-policy.ts';

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright({ clock: 'fake', passwords: 'real' });
});

after(() => keywright.close());

/** The hashes that the requests computed, by algorithm. */
async function hashesOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const counters = keywright.nodes[0]?.passwords.computedBy;
  assert.ok(counters);
  const earlier: Record<string, number> = { ...counters };
  await work();
  const added = Object.entries(counters).map(
    ([name, n]) => [name, n - (earlier[name] ?? 0)] as const,
  );
  return Object.fromEntries(added.filter(([, n]) => n > 0));
}

async function wrong(tenant: TestTenant, identifier: string): Promise<JsonBody> {
  const body = { identifier, secret: 'not the password' };
  return expectStatus(401, await tenant.request('POST', '/auth/login', { body }));
}

async function importUser(tenant: TestTenant, password: ForeignPassword): Promise<string> {
  const identifier = newIdentifier();
  const answer = await tenant.request('POST', '/users/import', {
    token: await tenant.adminToken(),
    rawBody: JSON.stringify({ identifiers: [{ identifier }], password }),
    contentType: 'application/x-ndjson',
  });
  assert.equal(expectStatus(200, answer)['created'], 1);
  return identifier;
}

async function countsOf(tenant: TestTenant): Promise<ForeignHashes | undefined> {
  const [row] = await keywright.database.query<{ foreign_hashes: ForeignHashes | null }>(
    'SELECT foreign_hashes FROM tenants WHERE tenant_id = $1',
    [tenant.id],
  );
  return row?.foreign_hashes ?? undefined;
}

const configured = (name: string) =>
  keywright.tenant(name, { config: { login_attempts_limit: 10_000 } });

describe('while users have foreign hashes', () => {
  test('Every refused login computes one hash: that of its user, or one that is chosen for the identifier', async () => {
    const tenant = await configured('mixed');
    const native = await tenant.createUser();
    const byBcrypt = await importUser(tenant, await bcryptOf(newPassword()));
    const byPbkdf2 = await importUser(tenant, pbkdf2Of(newPassword()));
    const loginHashes = (identifier: string) => hashesOf(() => wrong(tenant, identifier));
    assert.deepEqual(await loginHashes(native.identifier), { argon2: 1 });
    assert.deepEqual(await loginHashes(byBcrypt), { bcrypt: 1 });
    assert.deepEqual(await loginHashes(byPbkdf2), { pbkdf2: 1 });
    const hashes = await countsOf(tenant);
    const seen = new Set<string>();
    for (let n = 0; n < 60; n += 1) {
      const identifier = newIdentifier();
      const decoy = decoyFor(hashes, identifier);
      const expected = decoy === undefined ? 'argon2' : algorithmOf(decoy);
      assert.deepEqual(await loginHashes(identifier), { [expected]: 1 });
      // The choice is the same each time.
      assert.deepEqual(await loginHashes(identifier), { [expected]: 1 });
      seen.add(expected);
    }
    assert.deepEqual([...seen].toSorted(), ['argon2', 'bcrypt', 'pbkdf2']);
  });

  test('The password step of a flow and a refused registration also compute one hash', async () => {
    const tenant = await configured('steps');
    await importUser(tenant, await bcryptOf(newPassword()));
    const hashes = await countsOf(tenant);
    for (let n = 0; n < 12; n += 1) {
      const identifier = newIdentifier();
      const decoy = decoyFor(hashes, identifier);
      const expected = { [decoy === undefined ? 'argon2' : algorithmOf(decoy)]: 1 };
      const answer = await tenant.request<{ flow_token: string; flow: { id: string } }>(
        'POST',
        '/auth/flows',
        { body: { identifier } },
      );
      const { flow, flow_token } = expectStatus(201, answer);
      const step = { body: { flow_token, secret: 'not the password' } };
      const path = `/auth/flows/${flow.id}/password`;
      assert.deepEqual(await hashesOf(() => tenant.request('POST', path, step)), expected);
      const body = { identifier, secret: 'short', register: true };
      const register = () => tenant.request('POST', '/auth/login', { body });
      assert.deepEqual(await hashesOf(register), expected);
    }
  });

  test('A refused login of a user with a foreign hash gets the response for an unknown identifier', async () => {
    const tenant = await configured('answers');
    const imported = await importUser(tenant, await bcryptOf(newPassword()));
    const bodies = [await wrong(tenant, imported), await wrong(tenant, newIdentifier())];
    assert.deepEqual(bodies[0], bodies[1]);
  });
});

test('A tenant computes no foreign hashes if it has none, even after the last one was replaced', async () => {
  const tenant = await configured('migrated');
  const secret = newPassword();
  assert.deepEqual(await hashesOf(() => wrong(tenant, newIdentifier())), { argon2: 1 });
  const imported = await importUser(tenant, await bcryptOf(secret));
  assert.equal((await countsOf(tenant))?.schemes['$2b$04$'], 1);
  // The foreign hashes are counted again every ten minutes at most.
  keywright.clock.advance(601);
  const work = await hashesOf(() => tenant.login(imported, secret));
  assert.deepEqual(work, { bcrypt: 1, argon2: 1 });
  assert.equal(await countsOf(tenant), undefined);
  assert.deepEqual(await hashesOf(() => wrong(tenant, newIdentifier())), { argon2: 1 });
});

test('import_expires_at: after it, imported passwords are refused like those of unknown users, and others still work', async () => {
  const end = new Date(keywright.clock.now().getTime() + 60_000).toISOString();
  const config = { login_attempts_limit: 10_000, import_expires_at: end };
  const tenant = await keywright.tenant('expiring', { config });
  const [used, unused] = [newPassword(), newPassword()];
  const early = await importUser(tenant, await bcryptOf(used));
  const late = await importUser(tenant, await bcryptOf(unused));
  await tenant.login(early, used);
  keywright.clock.advance(61);
  await tenant.login(early, used);
  const body = { identifier: late, secret: unused };
  const refused = await tenant.request('POST', '/auth/login', { body });
  assert.deepEqual(expectStatus(401, refused), await wrong(tenant, newIdentifier()));
  const decoy = decoyFor(await countsOf(tenant), late);
  const expected = { [decoy === undefined ? 'argon2' : algorithmOf(decoy)]: 1 };
  assert.deepEqual(await hashesOf(() => wrong(tenant, late)), expected);
});
