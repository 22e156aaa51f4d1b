// Tokens requested on every node while their dependencies end: offline verifiers learn of each.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { BEHIND_PROXY, fromAnotherAddress } from '../harness/addresses.ts';
import { clientParameters, createUserWith, delegate, exchange } from '../harness/delegation.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { eventLoopIterations, parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import { bitOf, bitsSetIn, followStatus, type StatusStream } from '../harness/status.ts';
import type { Credentials, TestAgent, TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { postToken } from '../harness/token-endpoint.ts';
import { until } from '../harness/until.ts';
import { type TimedAnswer, CLIENTS, requestDuring } from './request-during.ts';

const NODES = 2;
const WIDE = ['read:users', 'write:notes'];
const NARROW = ['read:users'];
/** The maximum time until a verifier learns of the end. */
const MAX_NOTIFICATION_MS = 2000;

function tokensOf(answers: readonly TimedAnswer<Answer<{ access_token: string }>>[]): string[] {
  return answers.flatMap(({ answer }) => (answer.status === 200 ? [answer.body.access_token] : []));
}

for (const { name, isThorough, start } of raceServers()) {
  describe(`status lists in a race, on ${name}`, () => {
    const rounds = isThorough ? 10 : 2;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let random: Random;
    let tenant: TestTenant;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES, env: BEHIND_PROXY });
      random = seededRandom();
      tenant = await keywright.tenant('races', { config: { login_attempts_limit: 10_000 } });
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

    async function setBits(node: number): Promise<Set<number>> {
      const { status, text } = await tenant.request('GET', '/status/0', { node });
      assert.equal(status, 200, text);
      return new Set(bitsSetIn(text));
    }

    async function assertRevoked(tokens: readonly string[]): Promise<void> {
      assert.ok(tokens.length > 0);
      const bits = [...new Set(tokens.map(bitOf))];
      for (let node = 0; node < NODES; node += 1) {
        const areSet = async () => {
          const set = await setBits(node);
          return bits.every((bit) => set.has(bit));
        };
        await until(`node ${node} publishes all, seed ${random.seed}`, areSet, MAX_NOTIFICATION_MS);
      }
    }

    async function assertClear(token: string): Promise<void> {
      for (let node = 0; node < NODES; node += 1) {
        assert.ok(!(await setBits(node)).has(bitOf(token)), `seed ${random.seed}`);
      }
    }

    /** Each client refreshes its own session, on the nodes in turn. */
    async function refresher({ identifier, password }: Credentials) {
      const sessions = await parallel(CLIENTS, () => tenant.login(identifier, password));
      const tokens = sessions.map((session) => session.access_token);
      let turn = 0;
      const refresh = async (asker: number) => {
        turn += 1;
        const body = { refresh_token: sessions[asker]?.refresh_token };
        const options = { body, node: turn % NODES, headers: fromAnotherAddress() };
        const answer = await tenant.request<TokenAnswer>('POST', '/auth/refresh', options);
        if (answer.status === 200) sessions[asker] = answer.body;
        return answer;
      };
      return { tokens, refresh };
    }

    function requestAs(agent: TestAgent) {
      const parameters = { grant_type: 'client_credentials', ...clientParameters(agent) };
      return (asker: number) => postToken(tenant, parameters, { node: asker % NODES });
    }

    test('A session that ends during a refresh leaves no token with a clear bit', async () => {
      const bystander = await tenant.createUser();
      for (let round = 0; round < rounds; round += 1) {
        const user = await tenant.createUser();
        const { tokens, refresh } = await refresher(user);
        const answers = await requestDuring(refresh, () =>
          asAdmin('DELETE', `/sessions?user_id=${user.user.id}`),
        );
        const late = answers.filter(({ isLate }) => isLate).map(({ answer }) => answer.status);
        assert.deepEqual([...new Set(late)], [401]);
        await assertRevoked([...tokens, ...tokensOf(answers)]);
      }
      await assertClear(bystander.token);
    });

    test('No token with a permission removed during a refresh keeps a clear status bit, and later tokens have a clear bit', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const user = await createUserWith(tenant, WIDE);
        const { tokens, refresh } = await refresher(user);
        const answers = await requestDuring(refresh, () =>
          asAdmin('PATCH', `/roles/${user.role}`, { scopes: NARROW }),
        );
        const all = [...tokens, ...tokensOf(answers)];
        await assertRevoked(all.filter((token) => claimsOf(token).scopes.length > NARROW.length));
        const last = tokensOf(answers.filter(({ isLate }) => isLate)).at(-1) ?? '';
        assert.deepEqual(claimsOf(last).scopes, NARROW);
        await assertClear(last);
      }
    });

    test('No token of a key that is revoked, or of an agent that is deactivated, keeps a clear status bit', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const robot = await tenant.createAgent({ scopes: WIDE });
        const answers = await requestDuring(requestAs(robot), () =>
          round % 2 === 0
            ? asAdmin('DELETE', `/apikeys/${robot.record.id}`)
            : asAdmin('PATCH', `/agents/${robot.agent.id}`, { is_active: false }),
        );
        await assertRevoked(tokensOf(answers));
      }
    });

    test('No token of a delegation that is revoked, or whose user is deactivated, keeps a clear status bit', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const robot = await tenant.createAgent({ scopes: WIDE });
        const user = await createUserWith(tenant, WIDE);
        const { id } = await delegate(tenant, user, robot, WIDE);
        const subject = { subject_token_type: TOKEN_TYPE.delegation };
        const answers = await requestDuring(
          (asker) => exchange(tenant, robot, id, subject, { node: asker % NODES }),
          async () => {
            const { token } = user;
            const path = `/me/delegations/${id}`;
            if (round % 2 === 0) expectStatus(200, await tenant.request('DELETE', path, { token }));
            else await asAdmin('PATCH', `/users/${user.user.id}`, { is_active: false });
          },
        );
        await assertRevoked(tokensOf(answers));
      }
    });

    test('No status bit belongs to two grants, regardless of which nodes created them, and one grant has one bit', async () => {
      const robots = await parallel(12, () => tenant.createAgent());
      const named = await parallel(robots.length * NODES, async (index) => {
        const robot = robots[index % robots.length];
        return robot && expectStatus(200, await requestAs(robot)(index)).access_token;
      });
      const perRobot = robots.map((_, index) =>
        named
          .filter((_token, place) => place % robots.length === index)
          .map((token = '') => bitOf(token)),
      );
      for (const bits of perRobot) assert.equal(new Set(bits).size, 1);
      // If two nodes assigned a bit to the same key concurrently, one of them has a bit left to assign.
      const { identifier, password } = await tenant.createUser();
      const logins = await parallel(24, (index) =>
        tenant.login(identifier, password, { node: index % NODES }),
      );
      const bits = [
        ...perRobot.map(([bit = 0]) => bit),
        ...logins.map((login) => bitOf(login.access_token)),
      ];
      assert.equal(new Set(bits).size, bits.length);
      assert.ok(!bits.includes(0));
    });

    test('No status stream misses one of many revocations, or has a gap', async () => {
      const users = await parallel(CLIENTS, () => tenant.createUser());
      const sessions = await Promise.all(
        users.flatMap(({ identifier, password }) => [
          tenant.login(identifier, password),
          tenant.login(identifier, password, { node: 1 }),
        ]),
      );
      const streams = await Promise.all(
        keywright.nodes.map(({ url }) => followStatus(url, `/t/${tenant.id}/status/stream`)),
      );
      await Promise.all(streams.map((stream) => stream.find('the first event', () => true)));
      await parallel(sessions.length, async (index) => {
        await eventLoopIterations(random.between(0, 200));
        const token = sessions[index]?.access_token ?? '';
        const node = random.between(0, NODES);
        expectStatus(200, await tenant.request('POST', '/auth/logout', { token, node }));
      });
      for (const stream of streams) {
        for (const session of sessions) await stream.revocationOf(bitOf(session.access_token));
        assertUnbroken(stream);
        stream.close();
      }
    });
  });
}

/** There is no gap between events. */
function assertUnbroken({ events }: StatusStream): void {
  for (const [index, { event, claims }] of events.entries()) {
    assert.equal(event, 'status');
    const previousVersion = events[index - 1]?.claims.version ?? Infinity;
    assert.ok((claims.from ?? Infinity) <= previousVersion, `event ${index}`);
  }
}
