import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RowRecord } from './record.ts';
import { RECORD } from './test-record.ts';
import { isDearer, judge, ratiosOf } from './verdict.ts';

const peer = (change: Partial<RowRecord>): RowRecord => ({
  ...RECORD,
  party: 'better-auth',
  ...change,
});
const BEST = peer({ server_micros: 700, database_micros: 300 });
const WORST = peer({ party: 'oidc-provider', server_micros: 4000 });

describe('The ratios of a row', () => {
  test('Both ratios count the service and its database', () => {
    assert.deepEqual(ratiosOf(RECORD, [RECORD, WORST, BEST]), { toFloor: 5, toPeer: 5 });
  });

  test('A peer of another run or another row does not count, and neither does an optional peer', () => {
    const others = [
      peer({ at: '2026-11-29T12:00:00.000Z' }),
      peer({ row: 'login' }),
      peer({ party: 'keycloak' }),
    ];
    const embedded = { ...RECORD, party: 'keywright-embedded' } as const;
    assert.deepEqual(ratiosOf(RECORD, [RECORD, embedded, ...others]), {
      toFloor: 5,
      toPeer: undefined,
    });
  });
});

describe('The bar of a row', () => {
  const ratios = { toFloor: 5, toPeer: 5 };

  test('A row meets its bar if it meets each part', () => {
    const parts = [
      { floorTimes: 5, peerTimes: 5 },
      { floorShare: 0.9 },
      { probesTimes: 1.2 },
      { p50Ms: 4 },
    ];
    for (const bar of parts) assert.equal(judge(bar, RECORD, ratios), true, JSON.stringify(bar));
  });

  test('A row misses its bar if it misses one part', () => {
    const parts = [
      { floorTimes: 4.9, peerTimes: 5 },
      { floorTimes: 5, peerTimes: 5.1 },
      { floorShare: 0.91 },
      { probesTimes: 1.1 },
      { p50Ms: 3.9 },
    ];
    for (const bar of parts) assert.equal(judge(bar, RECORD, ratios), false, JSON.stringify(bar));
  });

  test('A bar that needs a peer is undecided without one, unless another part is missed', () => {
    const alone = { toFloor: 5, toPeer: undefined };
    assert.equal(judge({ floorTimes: 5, peerTimes: 4 }, RECORD, alone), undefined);
    assert.equal(judge({ floorTimes: 4, peerTimes: 4 }, RECORD, alone), false);
    assert.equal(judge(undefined, RECORD, ratios), undefined);
  });
});

test('A row is dearer only if it costs over 15 % more by both ratios', () => {
  const before = { toFloor: 4, toPeer: 6 };
  assert.equal(isDearer({ toFloor: 4.7, toPeer: 5.1 }, before), true);
  assert.equal(isDearer({ toFloor: 4.7, toPeer: 5.5 }, before), false);
  assert.equal(isDearer({ toFloor: 4.5, toPeer: 5.1 }, before), false);
  assert.equal(isDearer({ toFloor: 4.7, toPeer: undefined }, before), false);
});
