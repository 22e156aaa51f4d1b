// Everything that a user, their agents and their keys can do, at the moment when the user is disabled.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { NewApiKey } from '@keywright/contract/records/api-key';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { type Answer, type AnyBody, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { eventLoopTurns } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { failuresIn } from './amid-logins.ts';

const NODES = 2;
const LONGEST_PAUSE_TURNS = 60;

/** What was handed out in a round: bearer tokens and API keys, refresh tokens. */
interface Haul {
  readonly bearers: string[];
  readonly refreshTokens: string[];
}

for (const { name, isThorough, start } of raceServers()) {
  describe(`disabling a user in a race, on ${name}`, () => {
    const rounds = isThorough ? 200 : 25;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let random: Random;
    let tenant: TestTenant;
    let user: TestUser;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      random = seededRandom();
      tenant = await keywright.tenant('races', { config: { login_attempts_limit: 10_000 } });
      const scopes = ['write:users', 'write:agents', 'write:apikeys', 'read:notes'];
      const options = { token: await tenant.adminToken(), body: { name: 'maker', scopes } };
      expectStatus(201, await tenant.request('POST', '/roles', options));
      user = await tenant.createUser({ roles: ['maker'] });
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    /** Asks one of the nodes after a moment of some length. */
    async function soon<Body = AnyBody>(
      method: string,
      path: string,
      token: string | undefined,
      body?: object,
    ): Promise<Answer<Body>> {
      await eventLoopTurns(random.between(0, LONGEST_PAUSE_TURNS));
      const node = random.between(0, NODES);
      const options = { node, ...(token !== undefined && { token }), ...(body && { body }) };
      return tenant.request<Body>(method, path, options);
    }

    /** The same, and keeps what the answer hands out. */
    async function take(haul: Haul, ...asked: Parameters<typeof soon>): Promise<Answer<AnyBody>> {
      const answer = await soon<Partial<TokenAnswer & NewApiKey>>(...asked);
      const { access_token: accessToken, refresh_token: refreshToken, key } = answer.body;
      for (const one of [accessToken, key]) if (one !== undefined) haul.bearers.push(one);
      if (refreshToken !== undefined) haul.refreshTokens.push(refreshToken);
      return answer;
    }

    /** A new agent of the user’s own making, with a key. */
    async function makeAgent(haul: Haul, token: string): Promise<Answer<AnyBody>[]> {
      const body = { name: 'last minute', scopes: ['read:notes'] };
      const made = await soon('POST', '/agents', token, body);
      if (made.status !== 201) return [made];
      return [
        made,
        await take(haul, 'POST', '/apikeys', token, { agent_id: made.body['id'], name: 'k' }),
      ];
    }

    async function assertOver({ bearers, refreshTokens }: Haul, round: string): Promise<void> {
      for (let node = 0; node < NODES; node += 1) {
        for (const token of bearers) {
          const { status } = await tenant.request('GET', '/me', { node, token });
          assert.equal(status, 401, `${round}, node ${node}: ${token.slice(0, 12)}`);
        }
        for (const refresh_token of refreshTokens) {
          const options = { node, body: { refresh_token } };
          const { status } = await tenant.request('POST', '/auth/refresh', options);
          assert.equal(status, 401, `${round}, node ${node}: a refresh token`);
        }
      }
      const path = `/users/${user.user.id}`;
      const record = await tenant.request('GET', path, { token: await tenant.adminToken() });
      assert.equal(record.body['is_active'], false, round);
    }

    test(`${rounds} times: nothing works afterwards that was asked for or in use at that moment`, async () => {
      const admin = await tenant.adminToken();
      const path = `/users/${user.user.id}`;
      const login = { identifier: user.identifier, secret: user.password };
      for (let round = 0; round < rounds; round += 1) {
        const active = { token: admin, body: { is_active: true } };
        expectStatus(200, await tenant.request('PATCH', path, active));
        const { access_token: token, refresh_token } = await tenant.login(
          user.identifier,
          user.password,
        );
        const robot = await tenant.createAgent({
          owner_id: user.user.id,
          scopes: ['read:notes'],
        });
        const haul: Haul = { bearers: [token, robot.key], refreshTokens: [refresh_token] };
        const further = { agent_id: robot.agent.id, name: 'k' };
        const [disabled, ...answers] = await Promise.all([
          soon('POST', `${path}/disable`, admin, { reason: 'a race' }),
          take(haul, 'POST', '/auth/login', undefined, login),
          take(haul, 'POST', '/auth/refresh', undefined, { refresh_token }),
          soon('GET', '/me', robot.key),
          soon('GET', '/me', token),
          take(haul, 'POST', '/apikeys', token, further),
          soon('PATCH', path, token, { is_active: true }),
          soon('PATCH', `/agents/${robot.agent.id}`, token, { is_active: true }),
          makeAgent(haul, token),
        ]);
        expectStatus(200, disabled);
        const told = `round ${round}, seed ${random.seed}`;
        assert.deepEqual(failuresIn(answers.flat()), [], told);
        await assertOver(haul, told);
      }
    });
  });
}
