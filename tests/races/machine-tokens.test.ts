// Tokens of agents, requested continuously on every node while their dependencies change.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { clientParameters, createUserWith, delegate, exchange } from '../harness/delegation.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { eventLoopIterations, parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import { newStatementKey } from '../harness/statement-key.ts';
import type { TestAgent, TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { postToken } from '../harness/token-endpoint.ts';
import { type TimedAnswer as AskedAmid, requestDuring } from './request-during.ts';

const NODES = 3;
const WIDE = ['read:users', 'write:notes'];
const NARROW = ['read:users'];

type TokenAnswer = Awaited<ReturnType<typeof postToken>>;
type TimedTokenAnswer = AskedAmid<TokenAnswer>;

/** Sends requests on every node continuously, during the change and for a while after. */
function requestTokensDuring(
  request: (node: number) => Promise<TokenAnswer>,
  change: () => Promise<unknown>,
): Promise<TimedTokenAnswer[]> {
  return requestDuring((asker) => request(asker % NODES), change);
}

function tokensOf(answers: readonly TimedTokenAnswer[]): string[] {
  return answers.flatMap(({ answer }) => (answer.status === 200 ? [answer.body.access_token] : []));
}

function statusesOfLate(answers: readonly TimedTokenAnswer[]): number[] {
  return [...new Set(answers.filter(({ isLate }) => isLate).map(({ answer }) => answer.status))];
}

for (const { name, isThorough, start } of raceServers()) {
  describe(`tokens of agents in a race, on ${name}`, () => {
    const rounds = isThorough ? 12 : 3;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let random: Random;
    let tenant: TestTenant;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      random = seededRandom();
      tenant = await keywright.tenant('races');
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    async function asAdmin(method: string, path: string, body?: object): Promise<void> {
      const token = await tenant.adminToken();
      const options = { token, node: random.between(0, NODES), ...(body && { body }) };
      await eventLoopIterations(random.between(0, 40));
      expectStatus(200, await tenant.request(method, path, options));
    }

    function requestAs(agent: TestAgent) {
      const parameters = { grant_type: 'client_credentials', ...clientParameters(agent) };
      return (node: number) => postToken(tenant, parameters, { node });
    }

    async function assertDead(tokens: readonly string[]): Promise<void> {
      assert.ok(tokens.length > 0);
      await Promise.all(
        tokens.map(async (token, index) => {
          const answer = await tenant.request('GET', '/users', { token, node: index % NODES });
          assert.equal(answer.status, 401, `seed ${random.seed}: ${claimsOf(token).scope}`);
        }),
      );
    }

    test('An API key gets no token once its revocation is confirmed, and its tokens are rejected', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const robot = await tenant.createAgent({ scopes: WIDE });
        const answers = await requestTokensDuring(requestAs(robot), () =>
          asAdmin('DELETE', `/apikeys/${robot.record.id}`),
        );
        // A caller that continues to use it is throttled after a while.
        assert.deepEqual(
          statusesOfLate(answers).filter((status) => status !== 401 && status !== 429),
          [],
        );
        await assertDead(tokensOf(answers));
      }
    });

    test('A scope removed from an agent is in no accepted token', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const robot = await tenant.createAgent({ scopes: WIDE });
        const answers = await requestTokensDuring(requestAs(robot), () =>
          asAdmin('PATCH', `/agents/${robot.agent.id}`, { scopes: NARROW }),
        );
        const tokens = tokensOf(answers);
        const wide = tokens.filter((token) => claimsOf(token).scopes.length > NARROW.length);
        await assertDead(wide);
        const late = answers.filter(({ isLate }) => isLate);
        assert.deepEqual([...new Set(late.map(({ answer }) => answer.body.scope))], NARROW);
        const last = late.at(-1)?.answer.body.access_token ?? '';
        expectStatus(200, await tenant.request('GET', '/users', { token: last }));
      }
    });

    test('A scope removed from an agent or a user is in no accepted delegated token', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const robot = await tenant.createAgent({ scopes: WIDE });
        const user = await createUserWith(tenant, WIDE);
        const { id } = await delegate(tenant, user, robot, WIDE);
        const subject = { subject_token_type: TOKEN_TYPE.delegation };
        const loser = round % 2 === 0 ? `/agents/${robot.agent.id}` : `/roles/${user.role}`;
        const answers = await requestTokensDuring(
          (node) => exchange(tenant, robot, id, subject, { node }),
          () => asAdmin('PATCH', loser, { scopes: NARROW }),
        );
        const wide = tokensOf(answers).filter((token) => claimsOf(token).scopes.length > 1);
        await assertDead(wide);
        const late = answers.filter(({ isLate }) => isLate);
        assert.deepEqual([...new Set(late.map(({ answer }) => answer.body.scope))], NARROW);
      }
    });

    test('A delegation gives no token once its revocation is confirmed, and its tokens are rejected', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const robot = await tenant.createAgent({ scopes: WIDE });
        const user = await createUserWith(tenant, WIDE);
        const { id } = await delegate(tenant, user, robot, WIDE);
        const subject = { subject_token_type: TOKEN_TYPE.delegation };
        const answers = await requestTokensDuring(
          (node) => exchange(tenant, robot, id, subject, { node }),
          async () => {
            const { token } = user;
            const path = `/me/delegations/${id}`;
            expectStatus(200, await tenant.request('DELETE', path, { token }));
          },
        );
        assert.deepEqual(statusesOfLate(answers), [400]);
        await assertDead(tokensOf(answers));
      }
    });

    test('An assertion presented concurrently on all nodes gets one token', async () => {
      const key = await newStatementKey();
      for (let round = 0; round < rounds; round += 1) {
        const { agent } = await tenant.createAgent();
        await asAdmin('PATCH', `/agents/${agent.id}`, { jwks: { keys: [key.publicJwk] } });
        const exp = Math.floor(Date.now() / 1000) + 60;
        const aud = `https://id.example.com/t/${tenant.id}`;
        const identity = { iss: agent.id, sub: agent.id, aud, exp, jti: randomUUID() };
        const assertion = await key.sign(identity);
        const answers = await parallel(24, (index) =>
          postToken(
            tenant,
            {
              grant_type: 'client_credentials',
              client_assertion_type: CLIENT_ASSERTION_TYPE,
              client_assertion: assertion,
            },
            { node: index % NODES },
          ),
        );
        const issued = answers.filter(({ status }) => status === 200);
        assert.equal(issued.length, 1, `seed ${random.seed}`);
      }
    });
  });
}
