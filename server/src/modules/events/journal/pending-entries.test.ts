import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { fakeClock } from '@keywright/tests/harness/clock';
import { anonymous } from './audit-record.ts';
import { type Entry, type Waiting, PendingEntries } from './pending-entries.ts';

const TENANT = 'org_acme' as TenantId;
const OTHER = 'org_other' as TenantId;
/** How many entries of a tenant can wait, in addition to the counted ones. */
const OF_TENANT = 500;
const OF_STRANGER = 30;

function by(address: string, requestId = 'r') {
  return anonymous({ address, requestId });
}

function failure(reason: string): Entry {
  return {
    action: 'auth.login_failed',
    target: { kind: 'identifier', id: null },
    outcome: 'failure',
    details: { reason },
  };
}

test('Requests that differ only in their ID become one entry with a count, the first and the last time', () => {
  const clock = fakeClock(new Date('2026-01-01T00:00:00Z'));
  const room = new PendingEntries(clock);
  for (const requestId of ['first', 'second', 'third']) {
    room.keep(TENANT, by('192.0.2.1', requestId), failure('throttled'));
    clock.advance(1);
  }
  room.keep(TENANT, by('192.0.2.2'), failure('throttled'));
  room.keep(TENANT, by('192.0.2.1'), failure('secret_wrong'));
  room.keep(OTHER, by('192.0.2.1'), failure('throttled'));
  const { waiting, lost } = room.take(true);
  assert.deepEqual(
    waiting.map((entry) => entry.count),
    [3, 1, 1, 1],
  );
  const [flood] = waiting;
  assert.equal(flood?.first.request_id, 'first');
  assert.equal(flood?.first.created_at, '2026-01-01T00:00:00.000Z');
  assert.equal(flood?.lastAt.toISOString(), '2026-01-01T00:00:02.000Z');
  assert.equal(lost, 0);
  assert.deepEqual(room.take(true), { waiting: [], lost: 0 });
});

function systemActor(name: string) {
  return { kind: 'system', name } as const;
}

function countsOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, entry) => sum + entry.count, 0);
}

test('An address gets one audit entry a minute after thirty, whatever it varies, and each failure is counted', () => {
  const clock = fakeClock();
  const room = new PendingEntries(clock);
  const written: Waiting[] = [];
  for (let second = 0; second < 180; second += 1) {
    for (let index = 0; index < 100; index += 1) {
      // From one /64 network, each with its own request, address and reason.
      room.keep(
        TENANT,
        by(`2001:db8::${second}:${index}`, `r${index}`),
        failure(`${second} ${index}`),
      );
    }
    clock.advance(1);
    const { waiting, lost } = room.take(false);
    assert.equal(lost, 0);
    written.push(...waiting);
  }
  written.push(...room.take(true).waiting);
  assert.equal(countsOf(written), 18_000);
  assert.ok(written.length <= 4 * (OF_STRANGER + 1), `${written.length}`);
});

test('All counted failures are one entry per address, tenant and minute, written when the minute ends', () => {
  const clock = fakeClock(new Date('2026-01-01T00:00:00Z'));
  const room = new PendingEntries(clock);
  for (let time = 0; time < 1000; time += 1) {
    for (const tenantId of [TENANT, OTHER]) {
      for (const address of [`2001:db8::${time % 64}`, '192.0.2.1']) {
        room.count(tenantId, { address, requestId: `r${time}` }, failure('throttled'));
      }
    }
    clock.advance(0.05);
    assert.deepEqual(room.take(false).waiting, []);
  }
  clock.advance(10);
  const { waiting } = room.take(false);
  assert.deepEqual(
    waiting.map(({ tenantId, first, count }) => [tenantId, first.address, count]),
    [TENANT, OTHER].flatMap((id) => [
      [id, '2001:db8::0', 1000],
      [id, '192.0.2.1', 1000],
    ]),
  );
  assert.equal(room.isEmpty, true);
});

test('A flood in one tenant costs no other tenant an entry, and all of it is counted', () => {
  const room = new PendingEntries(fakeClock());
  const came = 50_000;
  for (let index = 0; index < came; index += 1) {
    const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
    room.keep(TENANT, systemActor(`actor ${index}`), failure('denied'));
    room.keep(TENANT, by(address), failure(`${index}`));
    room.count(TENANT, { address, requestId: 'r' }, failure('throttled'));
    if (index % 500 === 0) {
      room.keep(OTHER, systemActor(`actor ${index}`), failure('denied'));
      room.keep(OTHER, by('192.0.2.1'), failure('secret_wrong'));
      room.count(OTHER, { address: '192.0.2.2', requestId: 'r' }, failure('throttled'));
    }
  }
  const { waiting, lost } = room.take(true);
  assert.equal(lost, 0);
  const [flooded, spared] = [TENANT, OTHER].map((id) =>
    waiting.filter(({ tenantId }) => tenantId === id),
  );
  assert.equal(countsOf(flooded ?? []), 3 * came);
  assert.ok((flooded?.length ?? 0) <= 2 * OF_TENANT + 1, `${flooded?.length}`);
  const floods = flooded?.filter(({ first }) => first.actor_id === 'flood') ?? [];
  assert.equal(floods.length, 1);
  // A hundred entries of known callers, one of the stranger, and one that is counted.
  assert.equal(spared?.length, 102);
  assert.deepEqual(
    spared?.filter(({ first }) => first.actor_id === 'flood'),
    [],
  );
  assert.equal(countsOf(spared ?? []), 300);
});

test('The tenants with most entries lose the details if all tenants together exceed the limit', () => {
  const room = new PendingEntries(fakeClock());
  for (let tenant = 0; tenant < 40; tenant += 1) {
    for (let index = 0; index < OF_TENANT; index += 1) {
      room.keep(`org_${tenant}` as TenantId, systemActor(`actor ${index}`), failure('denied'));
    }
  }
  for (let index = 0; index < 20; index += 1) {
    room.keep(OTHER, systemActor(`actor ${index}`), failure('denied'));
  }
  const { waiting, lost } = room.take(true);
  assert.equal(lost, 0);
  assert.equal(countsOf(waiting), 40 * OF_TENANT + 20);
  assert.ok(waiting.length <= 4000 + 41, `${waiting.length}`);
  const spared = waiting.filter(({ tenantId }) => tenantId === OTHER);
  assert.equal(spared.length, 20);
  assert.deepEqual(
    spared.filter(({ first }) => first.actor_id === 'flood'),
    [],
  );
});

test('A flood across all tenants is limited too, and reports how many entries were dropped', () => {
  const room = new PendingEntries(fakeClock());
  for (let index = 0; index < 10_000; index += 1) {
    room.keep(`org_${index}` as TenantId, systemActor('actor'), failure('denied'));
  }
  const { waiting, lost } = room.take(true);
  assert.equal(waiting.length, 8000);
  assert.equal(lost, 2000);
});

test('The entries that could not be written remain queued, within the same bounds', () => {
  const room = new PendingEntries(fakeClock());
  for (let index = 0; index < OF_TENANT; index += 1) {
    room.keep(TENANT, systemActor(`actor ${index}`), failure('denied'));
  }
  const { waiting } = room.take(true);
  room.keep(TENANT, systemActor('another actor'), failure('denied'));
  room.giveBack(waiting);
  const again = room.take(true);
  assert.deepEqual([again.waiting.length, countsOf(again.waiting), again.lost], [501, 501, 0]);
});
