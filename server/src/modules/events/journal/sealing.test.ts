import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { AuditCheckpoint, AuditEntry } from '@keywright/contract/records/audit-entry';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';

const LINES = { accept: 'application/x-ndjson' };

/** The hash as the guide describes it: every field except the hash, keys sorted, no white space. */
function hashByTheBook(entry: AuditEntry): string {
  const sorted = (_name: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  const { hash: _, ...covered } = entry;
  return createHash('sha256').update(JSON.stringify(covered, sorted)).digest('base64url');
}

interface Exported {
  readonly entries: AuditEntry[];
  readonly checkpoint: string | undefined;
}

function readExport(text: string): Exported {
  const lines = text.split('\n').slice(0, -1);
  const values = lines.map((line) => JSON.parse(line) as AuditEntry & { checkpoint?: string });
  return {
    entries: values.filter((value) => value.checkpoint === undefined),
    checkpoint: values.at(-1)?.checkpoint,
  };
}

function assertChain(entries: readonly AuditEntry[]): void {
  let previous: string | null = null;
  for (const [index, entry] of entries.entries()) {
    assert.equal(entry.position, index + 1);
    assert.equal(entry.previous_hash, previous, `entry ${index + 1}`);
    assert.equal(entry.hash, hashByTheBook(entry), `entry ${index + 1}`);
    previous = entry.hash;
  }
}

for (const engine of ['postgres', 'pglite'] as const) {
  describe(`the audit log on ${engine}`, () => {
    let keywright: Keywright;
    let tenant: TestTenant;

    before(async () => {
      keywright = await startKeywright({ engine });
      tenant = keywright.home;
    });

    after(() => keywright.close());

    async function exported(query = ''): Promise<Exported> {
      const options = { token: await tenant.adminToken(), headers: LINES };
      const answer = await tenant.request('GET', `/audit${query}`, options);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-type'], 'application/x-ndjson');
      return readExport(answer.text);
    }

    async function verified(token: string) {
      const jwks = await tenant.request<JSONWebKeySet>('GET', '/.well-known/jwks.json');
      return compactVerify(token, createLocalJWKSet(jwks.body));
    }

    test('The audit log is a hash chain that any reader can compute, with a signed head', async () => {
      const { id } = (await tenant.createUser()).user;
      const { entries, checkpoint } = await exported();
      assertChain(entries);
      assert.ok(entries.some((entry) => entry.target.id === id));
      const { payload, protectedHeader } = await verified(checkpoint ?? '');
      assert.equal(protectedHeader.typ, 'audit-checkpoint+jwt');
      const head = JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>;
      const last = entries.at(-1);
      const { position, hash } = last ?? {};
      assert.deepEqual(
        [head['tenant_id'], head['position'], head['hash']],
        [tenant.id, position, hash],
      );
    });

    test('The audit log contains everything committed before its export, in batches of any size', async () => {
      const sealed = (await exported()).entries.length;
      const token = await tenant.adminToken();
      for (let count = 0; count < 5; count += 1) {
        const body = { name: `Room ${count}` };
        expectStatus(201, await tenant.request('POST', '/workspaces', { token, body }));
        const { entries } = await exported();
        assert.equal(entries.length, sealed + count + 1);
        assertChain(entries);
      }
      const rooms = await exported('?action=workspace.created&target=ws_room-3');
      assert.deepEqual([rooms.entries.length, rooms.checkpoint], [1, undefined]);
    });

    test('The audit log is sealed automatically within seconds, and lists its checkpoints', async () => {
      const token = await tenant.adminToken();
      const body = { name: 'Pantry' };
      expectStatus(201, await tenant.request('POST', '/workspaces', { token, body }));
      const path = '/audit?target=ws_pantry';
      const entry = await until('the entry is sealed', async () => {
        const answer = await tenant.request<{ items: AuditEntry[] }>('GET', path, { token });
        const [found] = expectStatus(200, answer).items;
        return found?.position !== null && found;
      });
      const list = await tenant.request<{ items: AuditCheckpoint[] }>(
        'GET',
        '/audit/checkpoints?limit=100',
        { token },
      );
      const covering = expectStatus(200, list).items.filter(
        ({ position }) => position >= Number(entry.position),
      );
      assert.ok(covering.length > 0);
      for (const { token: checkpoint } of covering) await verified(checkpoint);
      const [newest] = covering;
      const asToken = { token: newest?.token ?? '' };
      expectStatus(401, await tenant.request('GET', '/me', asToken));
    });
  });
}
