// What a user and their agents can do while the user deletes their account.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedApiKey } from '@keywright/contract/records/api-key';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { clientParameters, delegate } from '../harness/delegation.ts';
import { type Answer, type JsonBody, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { eventLoopIterations } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { failuresIn } from './concurrent-logins.ts';

const NODES = 2;
const ROUNDS = 15;
/** The maximum delay of a request: most are sent early, some late. */
const MAX_DELAYS = [1, 20, 60, 200];

for (const { name, start } of raceServers().slice(0, 1)) {
  describe(`deleting one’s account in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let random: Random;
    let tenant: TestTenant;

    before(async () => {
      server = await start();
      const env = { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
      keywright = await startKeywright({ server, nodes: NODES, env });
      random = seededRandom();
      const config = { login_attempts_limit: 10_000, allow_account_deletion: true };
      tenant = await keywright.tenant('leaving', { config });
      const scopes = ['write:agents', 'write:apikeys', 'read:notes'];
      const options = { token: await tenant.adminToken(), body: { name: 'maker', scopes } };
      expectStatus(201, await tenant.request('POST', '/roles', options));
    });
    after(async () => {
      await keywright.close();
      await server?.close();
    });

    const fromElsewhere = () => ({
      'x-forwarded-for': `10.${random.between(1, 255)}.${random.between(1, 255)}.1`,
    });

    /** Sends a request to one of the nodes after a random delay, and collects the credentials in the response. */
    async function soon(
      bearers: string[],
      method: string,
      path: string,
      token: string | undefined,
      body: object,
    ): Promise<Answer<JsonBody>> {
      const most = MAX_DELAYS[random.between(0, MAX_DELAYS.length)] ?? 1;
      await eventLoopIterations(random.between(0, most));
      const node = random.between(0, NODES);
      const options = { node, headers: fromElsewhere(), ...(token && { token }), body };
      const answer = await tenant.request<Partial<TokenAnswer & CreatedApiKey>>(
        method,
        path,
        options,
      );
      const { access_token: accessToken, key } = answer.body;
      for (const bearer of [accessToken, key]) if (bearer !== undefined) bearers.push(bearer);
      return answer;
    }

    test(`${ROUNDS} times: nothing of it works afterwards, and no active agent is left`, async () => {
      const bystander = await tenant.createAgent({ scopes: ['read:notes'] });
      for (let round = 0; round < ROUNDS; round += 1) {
        const user = await tenant.createUser({ roles: ['maker'] });
        const { token, refreshToken, identifier, password: secret } = user;
        const owned = { owner_id: user.user.id, scopes: ['read:notes'] };
        const robot = await tenant.createAgent(owned);
        await delegate(tenant, user, bystander, ['read:notes']);
        const bearers = [token, robot.key];
        const exchange = {
          grant_type: GRANT_TYPE.tokenExchange,
          ...clientParameters(bystander),
          subject_token: token,
          subject_token_type: TOKEN_TYPE.accessToken,
        };
        const [gone, ...answers] = await Promise.all([
          soon(bearers, 'POST', '/me/deletion', token, { identifier }),
          soon(bearers, 'POST', '/auth/login', undefined, { identifier, secret }),
          soon(bearers, 'POST', '/auth/refresh', undefined, { refresh_token: refreshToken }),
          soon(bearers, 'POST', '/apikeys', token, { agent_id: robot.agent.id, name: 'k' }),
          soon(bearers, 'POST', '/agents', token, { name: 'last minute', scopes: ['read:notes'] }),
          soon(bearers, 'PATCH', `/agents/${robot.agent.id}`, token, { is_active: true }),
          soon(bearers, 'POST', '/auth/token', undefined, exchange),
        ]);
        const message = `round ${round}, seed ${random.seed}`;
        expectStatus(200, gone);
        assert.deepEqual(failuresIn(answers), [], message);
        for (const bearer of bearers) {
          const answer = await tenant.request('GET', '/sessions', { token: bearer });
          assert.equal(answer.status, 401, message);
        }
        const left = await keywright.database.query<{ n: number }>(
          `SELECT (SELECT count(*) FROM sessions WHERE user_id = $1)::integer
                + (SELECT count(*) FROM agents WHERE is_active AND (owner_id = $1 OR name = 'last minute'))::integer
                + (SELECT count(*) FROM agents WHERE is_active AND id = $2)::integer AS n`,
          [user.user.id, robot.agent.id],
        );
        assert.equal(left[0]?.n, 0, message);
      }
    });
  });
}
