// What distinguishes a restored database from one whose standby was promoted.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judgePlace } from './place.ts';

const RECORDED = {
  system_identifier: '7400000000000000001',
  timeline: 3,
  database_oid: '16384',
  table_oid: '16500',
};
const QUIET = { ...RECORDED, is_leased: false, has_recovery_target: false };

test('A database on which no service has started is accepted', () => {
  assert.deepEqual(judgePlace(undefined, QUIET), { kind: 'unrecorded' });
});

test('An unchanged database is recognized as the same, whether or not nodes run', () => {
  for (const is_leased of [true, false]) {
    assert.deepEqual(judgePlace(RECORDED, { ...QUIET, is_leased }), { kind: 'same' });
  }
});

test('A promotion while nodes ran is accepted', () => {
  const found = { ...QUIET, timeline: 4, is_leased: true };
  assert.deepEqual(judgePlace(RECORDED, found), { kind: 'promoted', from: 3 });
});

describe('a database is refused', () => {
  const cases = {
    'in another cluster': { system_identifier: '7400000000000000002', is_leased: true },
    'as another database on the same server': { database_oid: '16385', is_leased: true },
    'after its tables were recreated': { table_oid: '16501', is_leased: true },
    'on an earlier timeline': { timeline: 2, is_leased: true },
    'on a later timeline, when no node ran on it recently': { timeline: 4 },
    'on a later timeline, when the server recovered to a target': {
      timeline: 4,
      is_leased: true,
      has_recovery_target: true,
    },
  };
  for (const [name, found] of Object.entries(cases)) {
    test(name, () => {
      assert.equal(judgePlace(RECORDED, { ...QUIET, ...found }).kind, 'elsewhere');
    });
  }
});
