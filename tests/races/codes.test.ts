import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { registerClient } from '../harness/application.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { askForToken, oauthError } from '../harness/token-endpoint.ts';
import { newPkce, Visitor } from '../harness/visitor.ts';

const NODES = 3;
const AT_ONCE = 64;
const ROUNDS = 10;
const CALLBACK = 'https://app.example.com/callback';
const REFUSED = '400 invalid_grant GRANT_INVALID';

for (const { name, start } of raceServers()) {
  describe(`authorization codes in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let tenant: TestTenant;
    let user: TestUser;
    let clientId: string;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      tenant = await keywright.tenant('codes');
      user = await tenant.createUser();
      const client = { kind: 'spa', first_party: true, redirect_uris: [CALLBACK] };
      clientId = await registerClient(tenant, client);
    });
    after(async () => {
      await keywright.close();
      await server?.close();
    });

    /** Logs in, in a browser of its own. @returns how the code is exchanged */
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
      const { leavesTo } = await browser.press('login', { identifier, secret });
      const parameters = {
        grant_type: 'authorization_code',
        client_id: clientId,
        code: leavesTo?.searchParams.get('code') ?? '',
        redirect_uri: CALLBACK,
        code_verifier: verifier,
      };
      return (node: number) => askForToken(tenant, parameters, { node });
    }

    const living = async () => {
      const sql = `SELECT FROM sessions WHERE tenant_id = $1 AND kind = 'client' AND is_active`;
      return (await keywright.database.query(sql, [tenant.id])).length;
    };

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

    test('an exchange and the end of what it stands on at once leave no session behind', async () => {
      const token = await tenant.adminToken();
      const consentOf = async () => {
        const path = `/consents?user_id=${user.user.id}`;
        const list = await tenant.request<{ items: { id: string }[] }>('GET', path, { token });
        return `/consents/${expectStatus(200, list).items[0]?.id}`;
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        const redeem = await issue();
        const ends = round % 2 === 0 ? `/sessions?user_id=${user.user.id}` : await consentOf();
        const [redeemed, ended] = await Promise.all([
          redeem(1),
          tenant.request('DELETE', ends, { token, node: 2 }),
        ]);
        expectStatus(200, ended);
        assert.ok(redeemed.status === 200 || oauthError(redeemed) === REFUSED, redeemed.text);
        assert.equal(await living(), 0, `round ${round}`);
      }
    });
  });
}
