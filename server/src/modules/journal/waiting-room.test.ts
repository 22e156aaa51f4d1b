import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { fakeClock } from '@keywright/tests/harness/clock';
import { stranger } from './actor.ts';
import { createWaitingRoom, type Note } from './waiting-room.ts';

const TENANT = 'org_acme' as TenantId;
const MOST = 2500;

function by(address: string, requestId = 'r') {
  return stranger({ address, requestId });
}

function failure(reason: string): Note {
  return {
    action: 'auth.login_failed',
    target: { kind: 'identifier', id: null },
    outcome: 'failure',
    details: { reason },
  };
}

test('what is alike but for its request becomes one entry, counted, with the first and the last time', () => {
  const clock = fakeClock(new Date('2026-01-01T00:00:00Z'));
  const room = createWaitingRoom(clock);
  for (const requestId of ['first', 'second', 'third']) {
    room.keep(TENANT, by('192.0.2.1', requestId), failure('throttled'));
    clock.advance(1);
  }
  room.keep(TENANT, by('192.0.2.2'), failure('throttled'));
  room.keep(TENANT, by('192.0.2.1'), failure('secret_wrong'));
  room.keep('org_other' as TenantId, by('192.0.2.1'), failure('throttled'));
  const { waiting, lost } = room.takeAll();
  assert.deepEqual(
    waiting.map((one) => one.count),
    [3, 1, 1, 1],
  );
  const [flood] = waiting;
  assert.equal(flood?.first.request_id, 'first');
  assert.equal(flood?.first.created_at, '2026-01-01T00:00:00.000Z');
  assert.equal(flood?.lastAt.toISOString(), '2026-01-01T00:00:02.000Z');
  assert.equal(lost, 0);
  assert.deepEqual(room.takeAll(), { waiting: [], lost: 0 });
});

test('however many different ones come, what is kept is bounded, and none goes uncounted', () => {
  const room = createWaitingRoom(fakeClock());
  const came = 50_000;
  for (let index = 0; index < came; index += 1) {
    room.keep(TENANT, by(`192.0.2.${index}`), failure('throttled'));
  }
  const { waiting, lost } = room.takeAll();
  assert.ok(waiting.length <= MOST, `${waiting.length}`);
  const counted = waiting.reduce((sum, one) => sum + one.count, 0);
  assert.equal(counted + lost, came);
  assert.equal(lost, 0);
  const rest = waiting.at(-1);
  assert.deepEqual([rest?.first.actor_kind, rest?.first.actor_id], ['system', 'flood']);
  assert.ok(Number(rest?.count) > 40_000);
});

test('a flood over every tenant there is loses entries, and says how many', () => {
  const room = createWaitingRoom(fakeClock());
  for (let index = 0; index < 10_000; index += 1) {
    room.keep(`org_${index}` as TenantId, by('192.0.2.1'), failure('throttled'));
  }
  const { waiting, lost } = room.takeAll();
  assert.equal(waiting.length, MOST);
  assert.equal(lost, 10_000 - MOST);
});

test('what could not be written waits on, within the same bounds', () => {
  const room = createWaitingRoom(fakeClock());
  for (let index = 0; index < 2000; index += 1) {
    room.keep(TENANT, by(`192.0.2.${index}`), failure('throttled'));
  }
  const { waiting } = room.takeAll();
  room.keep(TENANT, by('203.0.113.1'), failure('throttled'));
  room.giveBack(waiting);
  const again = room.takeAll();
  assert.deepEqual([again.waiting.length, again.lost], [2000, 1]);
});
