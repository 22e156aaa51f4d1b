// Applications register while a node dies. `npm run faults -- registrations` is the longer form.

import { test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { registerThroughKills } from './registrations.ts';
import { replayable } from './scenario.ts';

const EACH = 30;
const KILLS = repeated(2);

test('Every acknowledged registration is complete after kill -9 of a node, for one use of its token', async (t) => {
  const { told: acknowledged, registered } = await replayable(KILLS, (run) =>
    registerThroughKills(run, EACH),
  );
  t.diagnostic(`${acknowledged} were answered as registered, ${registered} are left`);
});
