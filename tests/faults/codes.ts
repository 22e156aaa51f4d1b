import assert from 'node:assert/strict';
import { parallel, pooled } from '../harness/parallel.ts';
import { Applications } from './applications.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const NODES = 3;
const USES = 64;
/** Codes raced concurrently. */
const WIDTH = 2;

/** One authorization code, exchanged 64 times concurrently, on three nodes. */
export const codes: Scenario = {
  name: 'codes',
  about: '64 concurrent exchanges of one authorization code on three nodes; a round is a code',
  rounds: 1000,
  run: raceCodes,
};

export async function raceCodes({ random, rounds, say }: Run): Promise<Figures> {
  const applications = await Applications.start(NODES);
  try {
    let done = 0;
    const statuses = new Map<number, number>();
    const firsts = Array.from({ length: rounds }, () => random.between(0, NODES));
    await pooled(WIDTH, firsts, async (first) => {
      const code = await applications.authorize(first);
      const answers = await parallel(USES, (index) => applications.exchange(first + index, code));
      for (const answer of answers) {
        const status = answer?.status ?? 0;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      done += 1;
      if (done % 50 === 0) say(`${done} of ${rounds} codes`);
    });
    const counted = Object.fromEntries(statuses);
    assert.deepEqual(counted, { 200: rounds, 400: rounds * (USES - 1) }, 'statuses');
    assert.equal((await applications.sessions()).length, rounds, 'sessions of all codes');
    return { codes: rounds, exchanges: rounds * USES, sessions: rounds };
  } finally {
    await applications.close();
  }
}
