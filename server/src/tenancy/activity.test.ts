import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTERS } from '@keywright/contract/activity';
import type { TenantId } from '@keywright/contract/ids';
import { fakeClock } from '@keywright/tests/harness/clock';
import { ActivityCounts, type SpanCounts } from './activity.ts';

const ONE = 'org_one' as TenantId;
const TWO = 'org_two' as TenantId;
const THREE = 'org_three' as TenantId;

function summaryOf(all: readonly SpanCounts[]) {
  return all.map(({ tenantId, startedAt, counts }) => [
    tenantId,
    startedAt.toISOString().slice(11, 16),
    Object.fromEntries(COUNTERS.map((name, at) => [name, counts[at]]).filter(([, n]) => n)),
  ]);
}

function started(max?: number) {
  const clock = fakeClock();
  clock.advance(300 - ((clock.now().getTime() / 1000) % 300));
  return { clock, counts: new ActivityCounts(clock, max), at: clock.now().toISOString() };
}

test('The activity of a tenant is counted for each five minutes, and each count is handed out once', () => {
  const { clock, counts } = started();
  const startedAt = clock.now().toISOString().slice(11, 16);
  counts.count(ONE, 'requests');
  counts.count(ONE, 'requests');
  counts.count(TWO, 'logins.passkey');
  clock.advance(299);
  counts.count(ONE, 'sessions_begun');
  clock.advance(1);
  const next = clock.now().toISOString().slice(11, 16);
  counts.count(ONE, 'requests');
  assert.equal(counts.size, 3);
  assert.deepEqual(summaryOf(counts.take(2)), [
    [ONE, startedAt, { requests: 2, sessions_begun: 1 }],
    [TWO, startedAt, { 'logins.passkey': 1 }],
  ]);
  assert.deepEqual(summaryOf(counts.take(2)), [[ONE, next, { requests: 1 }]]);
  assert.equal(counts.size, 0);
});

test('The activity counts of one tenant can be taken alone', () => {
  const { counts } = started();
  counts.count(ONE, 'requests');
  counts.count(TWO, 'requests');
  assert.deepEqual(
    counts.takeOf(TWO).map((spanCounts) => spanCounts.tenantId),
    [TWO],
  );
  assert.equal(counts.size, 1);
});

test('The activity counts that are given back are added to what was counted meanwhile', () => {
  const { counts } = started();
  counts.count(ONE, 'requests');
  const taken = counts.take(10);
  counts.count(ONE, 'requests');
  counts.giveBack(taken);
  assert.deepEqual(
    counts.take(10).map((spanCounts) => spanCounts.counts[COUNTERS.indexOf('requests')]),
    [2],
  );
});

test('The activity counts cover no more tenants than their limit, and report how much was not counted', () => {
  const { counts } = started(2);
  for (const tenant of [ONE, TWO, THREE, THREE, ONE]) counts.count(tenant, 'requests');
  assert.equal(counts.size, 2);
  assert.equal(counts.takeLost(), 2);
  assert.equal(counts.takeLost(), 0);
  counts.take(1);
  counts.count(THREE, 'requests');
  assert.equal(counts.size, 2);
});
