import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import pg from 'pg';
import { systemClock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import { auditKeyOf } from '../../../tenancy/audit-keys.ts';
import { Gate } from '../../../tenancy/gate.ts';
import { pollGrants } from './device-grant-store.ts';

const TENANT = 'org_acme' as TenantId;
const CLIENT = 'client_tv' as OAuthClientId;
/** Enough for a shared update. */
const DEVICES = ['a', 'b', 'c', 'd'];

let database: TestDatabase;
let service: Database;
let gate: Gate;
let locker: pg.Client;

before(async () => {
  database = await createDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`ALTER DATABASE ${name} SET lock_timeout = '100ms'`);
  service = openPostgres(database.url, () => {});
  const key = auditKeyOf(randomBytes(32));
  const keys = { cached: () => key, find: async () => key, open: () => key };
  gate = new Gate(service, systemClock, undefined, keys);
  locker = new pg.Client(database.superuserUrl);
  await locker.connect();
  await database.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ('${TENANT}', 'Acme', now())`,
  );
});

after(async () => {
  await locker.end();
  await service.close();
  await database.drop();
});

beforeEach(async () => {
  await database.query('DELETE FROM device_grants');
  for (const device of DEVICES) {
    await database.query(
      `INSERT INTO device_grants (tenant_id, id, user_code_hash, client_id, scopes, targets, ip_address, created_at,
                                  expires_at, interval_seconds)
       VALUES ('${TENANT}', $1, $1, '${CLIENT}', '{}', '{}', '::1', now(), now() + interval '1 hour', 5)`,
      [Buffer.from(device)],
    );
  }
});

afterEach(() => locker.query('ROLLBACK'));

async function lock(device: string): Promise<void> {
  await locker.query('BEGIN');
  await locker.query('SELECT FROM device_grants WHERE id = $1 FOR UPDATE', [Buffer.from(device)]);
}

/** The outcome of a poll of each device, in one batch. */
async function pollAll(): Promise<(string | undefined)[]> {
  const now = new Date();
  const polls = DEVICES.map((device) => ({
    tenantId: TENANT,
    id: Buffer.from(device),
    clientId: CLIENT,
    now,
  }));
  const answers = await pollGrants(gate, polls);
  const found = await Promise.allSettled(answers.map(async (answer) => answer));
  return found.map((poll) => (poll.status === 'fulfilled' ? poll.value?.outcome : 'failed'));
}

test('A locked device fails only its own poll', async () => {
  await lock('b');
  assert.deepEqual(await pollAll(), ['pending', 'failed', 'pending', 'pending']);
});

test('A poll that was noted is answered although another poll of its batch fails', async () => {
  await database.query('UPDATE device_grants SET last_polled_at = now() WHERE id = $1', [
    Buffer.from('b'),
  ]);
  await lock('b');
  assert.deepEqual(await pollAll(), ['pending', 'failed', 'pending', 'pending']);
});
