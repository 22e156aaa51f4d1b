import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  HOME,
  newSending,
  startWithChallenges,
  type WithChallenges,
} from '../harness/challenges.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';

const NODES = 3;
const TRIES = 64;

for (const { name, isThorough, start } of raceServers()) {
  const rounds = isThorough ? 10 : 2;

  describe(`codes and links in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let service: WithChallenges;

    before(async () => {
      server = await start();
      service = await startWithChallenges({ server, nodes: NODES });
    });
    after(async () => {
      await service.keywright.close();
      await server?.close();
    });

    const nodeOf = (index: number) => service.nodes[index % NODES] ?? assert.fail();

    async function sent() {
      const sending = newSending();
      assert.equal(await nodeOf(0).send(HOME, sending), 'sent');
      return { sending, ...(await service.secretsOf(sending.flowId)) };
    }

    /** Counts the outcomes of concurrent attempts. */
    async function counted(attempt: (index: number) => Promise<string>) {
      const outcomes = await parallel(TRIES, attempt);
      return Object.fromEntries(
        [...new Set(outcomes)].map((outcome) => [
          outcome,
          outcomes.filter((it) => it === outcome).length,
        ]),
      );
    }

    test('No more than five of many concurrent wrong codes are compared', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { sending } = await sent();
        const outcomes = await counted(async (index) => {
          const guess = await nodeOf(index).redeemCode(HOME, sending, 'wrong');
          return guess.outcome;
        });
        assert.deepEqual(outcomes, { wrong: 5, ended: TRIES - 5 });
      }
    });

    test('Exactly one of many concurrent uses of a code, of a link, or of both proves something', async () => {
      for (let round = 0; round < rounds; round += 1) {
        for (const withLinks of ['none', 'half', 'all'] as const) {
          const { sending, code, linkToken } = await sent();
          const outcomes = await counted(async (index) => {
            const isLink = withLinks === 'all' || (withLinks === 'half' && index % 2 === 0);
            if (isLink) {
              const shown = await nodeOf(index).redeemLink(HOME, sending, linkToken);
              return shown ? 'proven' : 'refused';
            }
            const { outcome } = await nodeOf(index).redeemCode(HOME, sending, code);
            return outcome === 'proven' ? outcome : 'refused';
          });
          assert.deepEqual(outcomes, { proven: 1, refused: TRIES - 1 });
        }
      }
    });
  });
}
