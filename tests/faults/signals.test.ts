// Events for receivers while the nodes that push them die. `npm run faults -- signals` kills one of two nodes with
// 10,000 events queued.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { replayable } from './scenario.ts';
import { pushThroughKills } from './signals.ts';

const QUEUED = 800;
const KILLS = repeated(2);

test('Every event arrives after kill -9 of a node, with the bytes of the first time', async (t) => {
  const figures = await replayable(KILLS, (run) =>
    pushThroughKills(run, { queued: QUEUED, endsLeases: true }),
  );
  t.diagnostic(`${QUEUED} events, ${KILLS} kills: ${figures['twice']} came twice`);
  assert.equal(figures['lost'], 0);
});
