import assert from 'node:assert/strict';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { expectStatus } from '../harness/http.ts';
import { parallel, pooled } from '../harness/parallel.ts';
import { Fleet } from './fleet.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const NODES = 3;
const USES = 64;
/** Token families raced concurrently. */
const WIDTH = 2;

/** One refresh token, used 64 times concurrently, on three nodes. */
export const race: Scenario = {
  name: 'race',
  about: '64 concurrent uses of one refresh token on three nodes; a round is a family',
  rounds: 1000,
  run: raceFamilies,
};

export async function raceFamilies({ random, rounds, say }: Run): Promise<Figures> {
  const fleet = await Fleet.start({ nodes: NODES });
  try {
    let done = 0;
    const families = Array.from({ length: rounds }, () => random.between(0, NODES));
    const children = await pooled(WIDTH, families, async (first) => {
      const successors = await raceFamily(fleet, first);
      done += 1;
      if (done % 50 === 0) say(`${done} of ${rounds} families`);
      return successors;
    });
    const total = children.reduce((sum, count) => sum + count, 0);
    assert.equal(total, rounds, 'children of all families');
    const rows = await fleet.database.query<{ generation: number; n: number }>(
      `SELECT generation, count(*)::integer AS n FROM sessions WHERE is_active AND generation > 0
        GROUP BY generation`,
    );
    assert.deepEqual(rows, [{ generation: 1, n: rounds }], 'rotations that the database knows of');
    return { families: rounds, uses: rounds * USES, children: total };
  } finally {
    await fleet.close();
  }
}

/** @returns the number of different successors */
async function raceFamily(fleet: Fleet, first: number): Promise<number> {
  const login = await fleet.register(first);
  const body = { refresh_token: login.refresh_token };
  const answers = await parallel(USES, async (index) => {
    const { http } = await fleet.node(first + index);
    return http.request<TokenAnswer>('POST', '/auth/refresh', { body });
  });
  return new Set(answers.map((answer) => expectStatus(200, answer).refresh_token)).size;
}
