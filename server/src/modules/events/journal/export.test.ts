import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newPassword } from '@keywright/tests/harness/credentials';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { expectStatus } from '@keywright/tests/harness/http';
import { type ServerProcess, startServerProcess } from '@keywright/tests/harness/process';
import { until } from '@keywright/tests/harness/until';

const ENTRIES = 100_000;
/** More than the service needs, and less than the export and its source data take. */
const HEAP_MB = 96;

const admin = { identifier: 'root@example.com', secret: newPassword() };
let database: TestDatabase;
let server: ServerProcess;

before(async () => {
  database = await createDatabase();
  server = await startServerProcess({
    env: {
      KEYWRIGHT_DATABASE_URL: database.url,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
      KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
      KEYWRIGHT_ADMIN_SECRET: admin.secret,
      KEYWRIGHT_LOG_LEVEL: 'error',
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB} --max-semi-space-size=4`,
    },
  });
});

after(async () => {
  await server.interrupt();
  await database.drop();
});

/** Adds copies of the last entry, as if they had been written and sealed; their hashes do not matter here. */
async function addEntries(count: number): Promise<void> {
  await database.query(
    `INSERT INTO audit_entries (tenant_id, id, created_at, actor_kind, actor_id, action, target_kind, target_id,
                                outcome, address, request_id, count, details, mac)
     SELECT tenant_id, 'aud_x' || lpad(n::text, 9, '0'), created_at, actor_kind, actor_id, action, target_kind,
            target_id, outcome, address, request_id, count, details, mac
       FROM (SELECT * FROM audit_entries ORDER BY id DESC LIMIT 1) AS e, generate_series(1, $1) AS n`,
    [count],
  );
  await database.query(
    `INSERT INTO audit_chain (tenant_id, position, entry_id, previous_hash, hash)
     SELECT tenant_id, position + n, 'aud_x' || lpad(n::text, 9, '0'), hash, hash
       FROM (SELECT * FROM audit_chain ORDER BY position DESC LIMIT 1) AS c, generate_series(1, $1) AS n`,
    [count],
  );
  // Autovacuum does this within a minute. Until then, a batch can read all remaining rows (ADR 74).
  await database.query('ANALYZE audit_entries, audit_chain');
}

/** Reads the export line by line. */
async function readExport(token: string) {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' };
  const { promise, resolve, reject } = Promise.withResolvers<NodeJS.ReadableStream>();
  request(`${server.url}/api/sso/v1/audit`, { headers }, resolve).on('error', reject).end();
  let [lines, bytes, inOrder, checkpoint] = [0, 0, true, ''];
  for await (const line of createInterface({ input: await promise })) {
    bytes += line.length;
    const value = JSON.parse(line) as AuditEntry & { checkpoint?: string };
    if (value.checkpoint !== undefined) {
      checkpoint = value.checkpoint;
      continue;
    }
    lines += 1;
    inOrder &&= value.position === lines;
  }
  return { lines, bytes, inOrder, checkpoint };
}

test('An export of 100,000 entries is complete and in order, within memory that could not hold it', async () => {
  const logIn = async () =>
    expectStatus(
      200,
      await server.http.request<TokenAnswer>('POST', '/auth/login', { body: admin }),
    );
  await logIn();
  // Otherwise the sealing would interfere.
  await until('all there is is sealed', async () => {
    const [row] = await database.query<{ done: boolean }>(
      `SELECT EXISTS (SELECT FROM audit_chain) AND NOT EXISTS (SELECT FROM audit_unsealed) AS done`,
    );
    return row?.done;
  });
  await addEntries(ENTRIES);
  const { access_token: token } = await logIn();
  const { lines, bytes, inOrder, checkpoint } = await readExport(token);
  assert.ok(lines > ENTRIES && inOrder, `${lines} lines`);
  assert.notEqual(checkpoint, '', 'what was sealed last is signed');
  assert.ok(bytes > 50_000_000, `${bytes} bytes`);
});
