// One proof, presented everywhere concurrently.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DpopKey, newDpopKey } from '../harness/dpop.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { TestAgent, TestTenant } from '../harness/tenant.ts';
import { postToken, oauthError } from '../harness/token-endpoint.ts';

const NODES = 3;
const AT_ONCE = 30;
const USERS = '/users';

for (const { name, isThorough, start } of raceServers()) {
  describe(`DPoP proofs in a race, on ${name}`, () => {
    const rounds = isThorough ? 8 : 2;
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let tenant: TestTenant;
    let agent: TestAgent;
    let key: DpopKey;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      tenant = await keywright.tenant('proofs');
      agent = await tenant.createAgent({ scopes: ['read:users'] });
      key = await newDpopKey();
    });
    after(async () => {
      await keywright.close();
      await server?.close();
    });

    const requestToken = (dpop: string, index: number) => {
      const { agent: client, key: secret } = agent;
      const parameters = {
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: secret,
      };
      return postToken(tenant, parameters, { headers: { dpop }, node: index % NODES });
    };

    test('A DPoP proof presented many times concurrently gets one token', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const proof = await key.prove();
        const answers = await parallel(AT_ONCE, (index) => requestToken(proof, index));
        const refused = answers.filter(({ status }) => status !== 200);
        assert.equal(refused.length, AT_ONCE - 1);
        assert.deepEqual(
          new Set(refused.map(oauthError)),
          new Set(['400 invalid_dpop_proof DPOP_INVALID']),
        );
      }
    });

    test('A DPoP proof is good for one use of its token, even concurrently', async () => {
      const token = (await requestToken(await key.prove(), 0)).body.access_token;
      for (let round = 0; round < rounds; round += 1) {
        const htu = 'https://id.example.com/api/sso/v1/users';
        const dpop = await key.prove({ htm: 'GET', htu, accessToken: token });
        const headers = { authorization: `DPoP ${token}`, dpop };
        const answers = await parallel(AT_ONCE, (index) =>
          tenant.request('GET', USERS, { headers, node: index % NODES }),
        );
        const good = answers.filter(({ status }) => status === 200);
        const refused = answers.filter(({ body }) => body['code'] === 'TOKEN_INVALID');
        assert.deepEqual([good.length, refused.length], [1, AT_ONCE - 1]);
      }
    });
  });
}
