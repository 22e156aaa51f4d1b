// Queued messages survive the death of the process that sends them. `npm run faults -- mail` does the same with 10,000
// messages on both databases, and limits how many are sent twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { sendThroughKills } from './mail.ts';
import { replayable } from './scenario.ts';

const MESSAGES = 600;
const KILLS = repeated(3);
/** Messages that were sent but not recorded yet: results are collected for 100 ms. */
const MOST_TWICE_PER_KILL = 100;

test('Every message is sent after kill -9, none after its expiry, and few twice', async (t) => {
  const options = { engine: 'postgres', queued: MESSAGES, endsLeases: true } as const;
  const figures = await replayable(KILLS, (run) => sendThroughKills(run, options));
  t.diagnostic(`${MESSAGES} messages, ${KILLS} kills: ${figures['twice']} sent twice`);
  assert.ok(Number(figures['twice']) <= KILLS * MOST_TWICE_PER_KILL);
});
