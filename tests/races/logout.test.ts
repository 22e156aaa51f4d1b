import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type LogoutReceiver, startLogoutReceiver } from '../harness/logout-receiver.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { RelyingParty } from '../harness/relying-party.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { oauthError } from '../harness/token-endpoint.ts';
import type { Visitor } from '../harness/visitor.ts';

const NODES = 3;
const AT_ONCE = 8;
const REFUSED = '400 invalid_grant GRANT_INVALID';
const BYE = 'https://app.example.com/bye';

for (const { name, isThorough, start } of raceServers()) {
  // An address can start thirty logins a minute.
  const rounds = isThorough ? 5 : 4;

  describe(`logouts in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let receiver: LogoutReceiver;
    let tenant: TestTenant;
    let app: RelyingParty;
    let other: RelyingParty;

    before(async () => {
      server = await start();
      receiver = await startLogoutReceiver();
      const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
      keywright = await startKeywright({ server, nodes: NODES, env });
      tenant = await keywright.tenant('logouts');
      app = await register('/app');
      other = await register('/other');
    });
    after(async () => {
      await keywright.close();
      await receiver.close();
      await server?.close();
    });

    const register = (path: string) =>
      RelyingParty.register(tenant, {
        fields: { backchannel_logout_uri: `${receiver.url}${path}` },
      });

    const notify = () => Promise.all(keywright.nodes.map((node) => node.logouts.runDue()));
    const countNotifications = (sid: string) =>
      receiver.received.filter((notification) => notification.sid === sid).length;

    /** Counts active sessions whose browser session has ended. */
    async function countOrphans(): Promise<number> {
      const rows = await keywright.database.query(
        `SELECT FROM sessions child JOIN sessions parent
             ON parent.tenant_id = child.tenant_id AND parent.id = child.parent_id
          WHERE child.tenant_id = $1 AND child.is_active AND NOT parent.is_active`,
        [tenant.id],
      );
      return rows.length;
    }

    interface Ending {
      readonly browser: Visitor;
      readonly user: TestUser;
      readonly hint: string;
      readonly token: string;
    }

    /** The ways to end the browser session, its user or the consent. */
    const endings: Readonly<Record<string, (ending: Ending) => Promise<{ status: number }>>> = {
      'a logout': ({ browser, hint }) =>
        app.logOutAt(browser, { id_token_hint: hint, post_logout_redirect_uri: BYE }, 2),
      'the user is switched off': ({ user, token }) =>
        tenant.request('PATCH', `/users/${user.user.id}`, {
          token,
          body: { is_active: false },
          node: 2,
        }),
      'the consent is revoked': async ({ user, token }) => {
        const path = `/consents?user_id=${user.user.id}&client_id=${app.client.id}`;
        const list = await tenant.request<{ items: { id: string; client_id: string }[] }>(
          'GET',
          path,
          { token },
        );
        const consent = expectStatus(200, list).items.find(
          (item) => item.client_id === app.client.id,
        );
        return tenant.request('DELETE', `/consents/${consent?.id}`, { token, node: 2 });
      },
    };

    for (const [what, end] of Object.entries(endings)) {
      test(`A code exchange in a race leaves no session behind, and its client is notified of each session that it opened: ${what}`, async () => {
        const token = await tenant.adminToken();
        for (let round = 0; round < rounds; round += 1) {
          const user = await tenant.createUser();
          const browser = app.browser();
          const { idToken: hint, sid } = await app.logIn(browser, user);
          const code = await app.code(browser, user);
          const [redeemed, ended] = await Promise.all([
            app.redeem(code, 1),
            end({ browser, user, hint, token }),
          ]);
          assert.ok([200, 303].includes(ended.status), String(ended.status));
          const isOpened = redeemed.status === 200;
          assert.ok(isOpened || oauthError(redeemed) === REFUSED, redeemed.text);
          assert.equal(await countOrphans(), 0);
          const living = await keywright.database.query(
            'SELECT FROM sessions WHERE user_id = $1 AND client_id = $2 AND is_active',
            [user.user.id, app.client.id],
          );
          assert.equal(living.length, 0, `round ${round}`);
          await notify();
          assert.equal(countNotifications(sid), 1);
          const { id_token: second } = redeemed.body;
          if (isOpened) assert.equal(countNotifications(String(claimsOf(second ?? '')['sid'])), 1);
        }
      });
    }

    test('A browser that logs out many times at the same time causes one logout notification to each client', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const user = await tenant.createUser();
        const browser = app.browser();
        const logins = [
          await app.logIn(browser, user),
          await other.logIn(browser, user, { scope: 'openid offline_access' }),
        ];
        const hint = { id_token_hint: logins[0]?.idToken ?? '', post_logout_redirect_uri: BYE };
        const answers = await parallel(AT_ONCE, (index) =>
          app.logOutAt(browser, hint, index % NODES),
        );
        assert.deepEqual(
          new Set(answers.map(({ status, headers }) => `${status} ${headers.location}`)),
          new Set([`303 ${BYE}`]),
        );
        await notify();
        assert.deepEqual(
          logins.map(({ sid }) => countNotifications(sid)),
          [1, 1],
        );
        const entries = await keywright.database.query(
          `SELECT FROM audit_entries WHERE action = 'auth.logout' AND actor_id = $1`,
          [user.user.id],
        );
        assert.equal(entries.length, 1);
      }
    });

    test('A login can end while its client is deleted or its address for logout notifications changes', async () => {
      const token = await tenant.adminToken();
      for (let round = 0; round < rounds; round += 1) {
        const party = await register(`/own-${round}`);
        const user = await tenant.createUser();
        const browser = party.browser();
        await party.logIn(browser, user);
        const change =
          round % 2 === 0
            ? tenant.request('DELETE', `/clients/${party.client.id}`, { token, node: 1 })
            : tenant.request('PATCH', `/clients/${party.client.id}`, {
                token,
                node: 1,
                body: { backchannel_logout_uri: null },
              });
        const [changed, ended] = await Promise.all([
          change,
          tenant.request('DELETE', `/sessions?user_id=${user.user.id}`, { token, node: 2 }),
        ]);
        assert.deepEqual([changed.status, ended.status], [200, 200]);
        await notify();
      }
    });
  });
}
