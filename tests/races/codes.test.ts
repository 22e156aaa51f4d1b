import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { registerClient } from '../harness/application.ts';
import { expectStatus, type JsonBody } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { headerOf } from '../harness/token.ts';
import { postToken, oauthError } from '../harness/token-endpoint.ts';
import { newPkce, Visitor } from '../harness/visitor.ts';

const NODES = 3;
const AT_ONCE = 64;
const ROUNDS = 10;
/** The rounds for each way to end a dependency of a code. */
const ROUNDS_OF_AN_END = 4;
const CALLBACK = 'https://app.example.com/callback';
const CLIENT = { kind: 'spa', first_party: true, redirect_uris: [CALLBACK] };
const REFUSED = '400 invalid_grant GRANT_INVALID';
/** The response to a deleted client. */
const UNKNOWN = '401 invalid_client CLIENT_INVALID';
const NAMED_KEY_SET = '/.well-known/jwks.json';

for (const { name, start } of raceServers()) {
  describe(`authorization codes in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let tenant: TestTenant;
    let user: TestUser;
    let clientId: string;
    let token: string;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      tenant = await keywright.tenant('codes');
      user = await tenant.createUser();
      token = await tenant.adminToken();
      clientId = await registerClient(tenant, CLIENT);
    });
    after(async () => {
      await keywright.close();
      await server?.close();
    });

    /** Logs in, in a new browser. @returns a function that exchanges the code */
    async function issue() {
      const { verifier, challenge } = newPkce();
      const browser = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
      await browser.authorize({
        client_id: clientId,
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'openid',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });
      const { identifier, password: secret } = user;
      const { redirectsTo } = await browser.press('login', { identifier, secret });
      const parameters = {
        grant_type: 'authorization_code',
        client_id: clientId,
        code: redirectsTo?.searchParams.get('code') ?? '',
        redirect_uri: CALLBACK,
        code_verifier: verifier,
      };
      return (node: number) => postToken(tenant, parameters, { node });
    }

    const living = async () => {
      const sql = `SELECT FROM sessions WHERE tenant_id = $1 AND kind = 'client' AND is_active`;
      return (await keywright.database.query(sql, [tenant.id])).length;
    };

    test('The first key for ID tokens is created once when three nodes need it at the same time', async () => {
      const redeems = await parallel(NODES, issue);
      const answers = await Promise.all(redeems.map((redeem, node) => redeem(node)));
      const kids = answers.map((answer) => headerOf(expectStatus(200, answer).id_token ?? '').kid);
      const keySet = await tenant.request<{ keys: { kid: string; alg: string }[] }>(
        'GET',
        NAMED_KEY_SET,
      );
      const keys = expectStatus(200, keySet).keys.filter(({ alg }) => alg === 'RS256');
      assert.deepEqual(
        keys.map(({ kid }) => kid),
        [...new Set(kids)],
      );
      expectStatus(200, await end('DELETE', `/sessions?user_id=${user.user.id}`));
    });

    test('64 parallel exchanges of one code on three nodes open one session', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [redeem, earlier] = [await issue(), await living()];
        const answers = await parallel(AT_ONCE, (index) => redeem(index % NODES));
        const others = answers.filter(({ status }) => status !== 200);
        assert.equal(others.length, AT_ONCE - 1);
        assert.deepEqual(new Set(others.map(oauthError)), new Set([REFUSED]));
        assert.equal(await living(), earlier + 1);
      }
    });

    const end = <Body = JsonBody>(method: string, path: string, body?: object) =>
      tenant.request<Body>(method, path, { token, node: 2, ...(body && { body }) });

    /** Each prepares a dependency, and returns the function that ends it. */
    const ENDS: Readonly<Record<string, () => Promise<() => ReturnType<typeof end>>>> = {
      'login of the browser': async () => () => end('DELETE', `/sessions?user_id=${user.user.id}`),
      consent: async () => {
        const path = `/consents?user_id=${user.user.id}`;
        const { items } = expectStatus(200, await end<{ items: { id: string }[] }>('GET', path));
        return () => end('DELETE', `/consents/${items[0]?.id}`);
      },
      user: async () => () => end('PATCH', `/users/${user.user.id}`, { is_active: false }),
      client: async () => () => end('DELETE', `/clients/${clientId}`),
    };

    for (const [what, prepare] of Object.entries(ENDS)) {
      test(`A code exchange concurrent with the end of its ${what} leaves no session behind`, async () => {
        for (let round = 0; round < ROUNDS_OF_AN_END; round += 1) {
          const redeem = await issue();
          const finish = await prepare();
          const [redeemed, ended] = await Promise.all([redeem(1), finish()]);
          expectStatus(200, ended);
          const isRefused = [REFUSED, UNKNOWN].includes(oauthError(redeemed));
          assert.ok(redeemed.status === 200 || isRefused, redeemed.text);
          assert.equal(await living(), 0, `round ${round}`);
          if (what === 'user') {
            expectStatus(200, await end('PATCH', `/users/${user.user.id}`, { is_active: true }));
          }
          if (what === 'client') clientId = await registerClient(tenant, CLIENT);
        }
      });
    }
  });
}
