// Everything that a user, their agents and their keys can do, at the moment the user is disabled.

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
import type { TestAgent, TestTenant, TestUser } from '../harness/tenant.ts';
import { postToken } from '../harness/token-endpoint.ts';
import { failuresIn } from './concurrent-logins.ts';

/** The parameters with which an agent requests a token. */
const issue = (by: TestAgent) => ({
  grant_type: GRANT_TYPE.clientCredentials,
  ...clientParameters(by),
});
const actFor = (by: TestAgent, token: string) => ({
  grant_type: GRANT_TYPE.tokenExchange,
  ...clientParameters(by),
  subject_token: token,
  subject_token_type: TOKEN_TYPE.accessToken,
});
const actAway = (by: TestAgent, delegationId: string) => ({
  ...actFor(by, delegationId),
  subject_token_type: TOKEN_TYPE.delegation,
});

const NODES = 2;
/** Kinds of requests that can be granted. */
const KINDS = 10;
/** The maximum number of rounds, as a multiple of the usual one. */
const MOST = 5;
/** The maximum delay of a request: most are sent early, some late. */
const MAX_DELAYS = [1, 20, 60, 200];

/** The credentials issued in a round: bearer tokens and API keys, refresh tokens. */
interface Haul {
  readonly bearers: string[];
  readonly refreshTokens: string[];
}

for (const { name, isThorough, start } of raceServers()) {
  describe(`disabling a user in a race, on ${name}`, () => {
    const rounds = isThorough ? 100 : 15;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let random: Random;
    let tenant: TestTenant;
    let user: TestUser;
    /** What was granted at least once, and what was refused: requests that came in time, and too late. */
    const granted = new Set<string>();
    const refused = new Set<string>();
    /** The agent of another user, to which the user delegates. */
    let bystander: TestAgent;
    let lateComer: TestAgent;

    before(async () => {
      server = await start();
      // Rejections are counted per address, so each request has another one.
      const env = { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
      keywright = await startKeywright({ server, nodes: NODES, env });
      random = seededRandom();
      tenant = await keywright.tenant('races', { config: { login_attempts_limit: 10_000 } });
      const scopes = ['write:users', 'write:agents', 'write:apikeys', 'read:notes'];
      const options = { token: await tenant.adminToken(), body: { name: 'maker', scopes } };
      expectStatus(201, await tenant.request('POST', '/roles', options));
      user = await tenant.createUser({ roles: ['maker'] });
      bystander = await tenant.createAgent({ scopes: ['read:notes'] });
      lateComer = await tenant.createAgent({ scopes: ['read:notes'] });
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    function fromElsewhere(): Record<string, string> {
      const address = [10, 0, 0, 0].map((part) => part || random.between(1, 255)).join('.');
      return { 'x-forwarded-for': address };
    }

    /** Sends a request to one of the nodes after a random delay. */
    async function soon<Body = JsonBody>(
      method: string,
      path: string,
      token: string | undefined,
      body?: object,
    ): Promise<Answer<Body>> {
      await eventLoopIterations(
        random.between(0, MAX_DELAYS[random.between(0, MAX_DELAYS.length)] ?? 1),
      );
      const node = random.between(0, NODES);
      const options = {
        node,
        headers: fromElsewhere(),
        ...(token !== undefined && { token }),
        ...(body && { body }),
      };
      const answer = await tenant.request<Body>(method, path, options);
      const what = `${method} ${path.replaceAll(/(user|service):\w+/g, ':id')}`;
      (answer.status < 300 ? granted : refused).add(what);
      return answer;
    }

    /** Does the same, and collects the credentials in the response. */
    async function take(haul: Haul, ...args: Parameters<typeof soon>): Promise<Answer<JsonBody>> {
      const answer = await soon<Partial<TokenAnswer & CreatedApiKey>>(...args);
      const { access_token: accessToken, refresh_token: refreshToken, key } = answer.body;
      for (const bearer of [accessToken, key]) if (bearer !== undefined) haul.bearers.push(bearer);
      if (refreshToken !== undefined) haul.refreshTokens.push(refreshToken);
      return answer;
    }

    /** Creates an agent of the user, with an API key. */
    async function makeAgent(haul: Haul, token: string): Promise<Answer<JsonBody>[]> {
      const body = { name: 'last minute', scopes: ['read:notes'] };
      const made = await soon('POST', '/agents', token, body);
      if (made.status !== 201) return [made];
      return [
        made,
        await take(haul, 'POST', '/apikeys', token, { agent_id: made.body['id'], name: 'k' }),
      ];
    }

    /** Delegates to another agent, and requests a token for the delegation. */
    async function delegateAnew(haul: Haul, token: string): Promise<Answer<JsonBody>[]> {
      const body = { agent_id: lateComer.agent.id, scopes: ['read:notes'] };
      const made = await soon('POST', '/me/delegations', token, body);
      if (made.status !== 201) return [made];
      const id = String(made.body['id']);
      return [made, await take(haul, 'POST', '/auth/token', undefined, actAway(lateComer, id))];
    }

    async function assertOver({ bearers, refreshTokens }: Haul, round: string): Promise<void> {
      for (let node = 0; node < NODES; node += 1) {
        const answers = [
          ...bearers.map((token) => tenant.request('GET', '/sessions', { node, token })),
          ...refreshTokens.map((token) =>
            tenant.request('POST', '/auth/refresh', {
              node,
              headers: fromElsewhere(),
              body: { refresh_token: token },
            }),
          ),
        ];
        const statuses = (await Promise.all(answers)).map((answer) => answer.status);
        assert.deepEqual(new Set(statuses), new Set([401]), `${round}, node ${node}`);
      }
      const path = `/users/${user.user.id}`;
      const record = await tenant.request('GET', path, { token: await tenant.adminToken() });
      assert.equal(record.body['is_active'], false, round);
    }

    test(`${rounds} times: nothing requested or in use at that moment works afterwards`, async () => {
      const admin = await tenant.adminToken();
      const path = `/users/${user.user.id}`;
      const login = { identifier: user.identifier, secret: user.password };
      // On a busy machine, runs more rounds until each kind of request was granted once.
      const isMissed = () => granted.size < KINDS;
      for (let round = 0; round < rounds || (isMissed() && round < MOST * rounds); round += 1) {
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
        const delegation = await delegate(tenant, { ...user, token }, bystander, ['read:notes']);
        const acting = await postToken(tenant, actAway(bystander, delegation.id));
        const haul: Haul = {
          bearers: [token, robot.key, expectStatus(200, acting).access_token],
          refreshTokens: [refresh_token],
        };
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
          take(haul, 'POST', '/auth/token', undefined, issue(robot)),
          take(haul, 'POST', '/auth/token', undefined, actFor(bystander, token)),
          delegateAnew(haul, token),
        ]);
        expectStatus(200, disabled);
        const message = `round ${round}, seed ${random.seed}`;
        assert.deepEqual(failuresIn(answers.flat()), [], message);
        await assertOver(haul, message);
      }
      assert.equal(granted.size, KINDS, [...granted].join());
      assert.ok(refused.size > 0);
    });
  });
}
