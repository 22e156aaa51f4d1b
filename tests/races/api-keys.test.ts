import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { ApiKeyRecord, CreatedApiKey } from '@keywright/contract/records/api-key';
import { type Answer, type JsonBody, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { eventLoopIterations, parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { TestTenant } from '../harness/tenant.ts';

const NODES = 2;
const USERS_OF_A_KEY = 6;

for (const { name, isThorough, start } of raceServers()) {
  describe(`API keys in a race, on ${name}`, () => {
    const rounds = isThorough ? 15 : 4;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let random: Random;
    let tenant: TestTenant;
    let token: string;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      random = seededRandom();
      tenant = await keywright.tenant('races', { config: { login_attempts_limit: 10_000 } });
      token = await tenant.adminToken();
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    function asAdmin<Body = JsonBody>(
      method: string,
      path: string,
      body?: object,
      node = 0,
    ): Promise<Answer<Body & ErrorBody>> {
      return tenant.request(method, path, { node, token, ...(body && { body }) });
    }

    async function read(id: string): Promise<ApiKeyRecord> {
      return expectStatus(200, await asAdmin<ApiKeyRecord>('GET', `/apikeys/${id}`));
    }

    /** A random delay, to vary the order of requests. */
    const pause = () => eventLoopIterations(random.between(0, 40));

    function codesOf(answers: readonly Answer<ErrorBody>[]): string[] {
      const codes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim());
      return [...new Set(codes)].toSorted();
    }

    test('An API key rotated concurrently gets one successor, and all other requests get APIKEY_ROTATED', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { record } = await tenant.createAgent();
        const answers = await parallel(8, async (index) => {
          await pause();
          const body = { overlap_days: index % 2 };
          const path = `/apikeys/${record.id}/rotate`;
          return asAdmin<CreatedApiKey>('POST', path, body, index % NODES);
        });
        const made = answers.filter((answer) => answer.status === 201);
        assert.equal(made.length, 1, `round ${round}, seed ${random.seed}`);
        assert.deepEqual(codesOf(answers), ['201', '400 APIKEY_ROTATED']);
        assert.equal((await read(record.id)).successor_id, made[0]?.body.id);
        const query = `/apikeys?agent_id=${record.agent_id}`;
        const { meta } = expectStatus(
          200,
          await asAdmin<{ meta: { total: number } }>('GET', query),
        );
        assert.equal(meta.total, 2);
      }
    });

    /** Uses the key on every node continuously during `change`. @returns the result of each use */
    async function usedAmid(
      key: string,
      path: string,
      change: () => Promise<unknown>,
    ): Promise<{ readonly isLate: boolean; readonly status: number }[]> {
      const uses: { isLate: boolean; status: number }[] = [];
      const moment = { isChanged: false, isOver: false };
      const using = parallel(USERS_OF_A_KEY, async (index) => {
        while (!moment.isOver) {
          const isLate = moment.isChanged;
          const { status } = await tenant.request('GET', path, { token: key, node: index % NODES });
          uses.push({ isLate, status });
        }
      });
      await pause();
      await change();
      moment.isChanged = true;
      const enough = () => uses.filter((use) => use.isLate).length >= 2 * USERS_OF_A_KEY;
      while (!enough()) await eventLoopIterations(1);
      moment.isOver = true;
      await using;
      return uses;
    }

    const ends: Readonly<Record<string, (key: ApiKeyRecord, node: number) => Promise<unknown>>> = {
      'it was revoked': ({ id }, node) => asAdmin('DELETE', `/apikeys/${id}`, undefined, node),
      'it was rotated without an overlap': ({ id }, node) =>
        asAdmin('POST', `/apikeys/${id}/rotate`, { overlap_days: 0 }, node),
      'its agent was made inactive': ({ agent_id: id }, node) =>
        asAdmin('PATCH', `/agents/${id}`, { is_active: false }, node),
      'its agent was deleted': ({ agent_id: id }, node) =>
        asAdmin('DELETE', `/agents/${id}`, undefined, node),
    };
    for (const [what, end] of Object.entries(ends)) {
      test(`An API key is rejected on every node once the response confirms that ${what}`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const { record, key } = await tenant.createAgent();
          const uses = await usedAmid(key, '/me', () => end(record, round % NODES));
          const late = uses.filter((use) => use.isLate);
          const message = `round ${round}, seed ${random.seed}`;
          assert.ok(
            late.every((use) => use.status === 401),
            message,
          );
          assert.ok(
            uses.every((use) => use.status === 200 || use.status === 401),
            message,
          );
        }
      });
    }

    test('An API key grants no scope on any node once the response confirms that its agent has lost it', async () => {
      const { agent, key } = await tenant.createAgent({ scopes: ['read:users'] });
      for (let round = 0; round < 2 * rounds; round += 1) {
        const isLoss = round % 2 === 0;
        const uses = await usedAmid(key, '/users?limit=1', () =>
          asAdmin('PATCH', `/agents/${agent.id}`, { scopes: isLoss ? [] : ['read:users'] }),
        );
        const late = uses.filter((use) => use.isLate).map((use) => use.status);
        const message = `round ${round}, seed ${random.seed}`;
        assert.deepEqual([...new Set(late)], [isLoss ? 403 : 200], message);
      }
    });

    test('An API key created while its agent is deactivated works if, and only if, the agent is active', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { agent } = await tenant.createAgent();
        const path = `/agents/${agent.id}`;
        const [made] = await Promise.all([
          pause().then(() => tenant.createApiKey(agent.id)),
          pause().then(() => asAdmin('PATCH', path, { is_active: false }, 1)),
        ]);
        const use = async () => (await tenant.request('GET', '/me', { token: made.key })).status;
        assert.equal(await use(), 401, `round ${round}, seed ${random.seed}`);
        expectStatus(200, await asAdmin('PATCH', path, { is_active: true }));
        assert.equal(await use(), 200);
      }
    });

    test('Concurrent operations on an API key and its agent never fail', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { id: workspace } = expectStatus(
          201,
          await asAdmin<{ id: string }>('POST', '/workspaces', { name: `w ${round}` }),
        );
        const { agent, record, key } = await tenant.createAgent({
          workspace_id: workspace as never,
        });
        const { record: other } = await tenant.createApiKey(agent.id);
        const { user } = await tenant.createUser();
        const answers = await Promise.all(
          random
            .shuffled<() => Promise<Answer<JsonBody & ErrorBody>>>([
              () => asAdmin('PATCH', `/agents/${agent.id}`, { workspace_id: workspace }, 1),
              () => asAdmin('PATCH', `/agents/${agent.id}`, { scopes: [], is_active: true }),
              () => asAdmin('PATCH', `/agents/${agent.id}`, { owner_id: user.id }),
              () => asAdmin('POST', `/users/${user.id}/disable`, { reason: 'left' }, 1),
              () => asAdmin('DELETE', `/workspaces/${workspace}?force=true`),
              () => asAdmin('POST', `/apikeys/${record.id}/rotate`, {}, 1),
              () => asAdmin('DELETE', `/apikeys/${other.id}`),
              () => asAdmin('POST', '/apikeys', { agent_id: agent.id, name: 'more' }, 1),
              () => asAdmin('DELETE', `/agents/${agent.id}`),
              () => tenant.request('GET', '/me', { token: key }),
              () => keywright.request('POST', '/apikeys/report', { node: 1, body: { key } }),
            ])
            .map((operation) => pause().then(operation)),
        );
        const failed = answers.filter(({ status }) => status >= 500).map(({ text }) => text);
        assert.deepEqual(failed, [], `round ${round}, seed ${random.seed}`);
      }
    });
  });
}
