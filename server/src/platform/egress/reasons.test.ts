import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { describe, EGRESS_REASONS, type EgressReason } from './reasons.ts';

const GUIDE = new URL('../../../../docs/guide/outgoing-calls.md', import.meta.url);

test('The guide explains exactly the existing reasons for failed outgoing calls', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const explained = [...guide.matchAll(/^\| `([a-z_]+)` /gm)].map(([, reason]) => reason);
  assert.deepEqual(explained, Object.keys(EGRESS_REASONS));
});

test('The explanation of a failed outgoing call contains at most a code, never external text', () => {
  for (const reason of Object.keys(EGRESS_REASONS) as EgressReason[]) {
    const sentence = EGRESS_REASONS[reason];
    assert.equal(describe(reason, 'ECONNREFUSED'), `${sentence} (ECONNREFUSED)`);
    for (const code of [
      '10.0.0.1:80',
      'connect to 10.0.0.1',
      'A'.repeat(65),
      '',
      'UND_ERR_SOCKET',
    ]) {
      assert.equal(describe(reason, code), sentence);
    }
  }
});
