import { describe, test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { raceFamilies } from './race.ts';
import { replayable } from './scenario.ts';
import { survive } from './storm.ts';

describe('three nodes on one PostgreSQL', () => {
  test('Three nodes on one PostgreSQL survive the death of nodes, connections and database: no client is stuck, nothing is lost or duplicated', async () => {
    await replayable(repeated(4), (run) => survive(run, false));
  });

  test('Three nodes give one refresh token one successor, however often it is used concurrently (SPEC authentication 3)', async () => {
    await replayable(15, raceFamilies);
  });
});
