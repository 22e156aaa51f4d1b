import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { expectStatus } from '../harness/http.ts';
import { type ChallengeAnswer, InApp, newInAppClient } from '../harness/in-app.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough } from '../harness/mailed.ts';
import { parallel } from '../harness/parallel.ts';
import { addPasskey } from '../harness/passkey.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { enrollTotp, totpOf } from '../harness/totp.ts';

const NODES = 3;
const AT_ONCE = 32;

/** The errors of the losers: the login is over, or the proof was used up. */
const LOST: ReadonlySet<string> = new Set([
  'invalid_session',
  'insufficient_authorization',
  'temporarily_unavailable',
]);

for (const { name, start } of raceServers()) {
  describe(`a login inside an application in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let sink: MailSink;
    let keywright: Keywright;
    let tenant: TestTenant;
    let client: CreatedOAuthClient;

    before(async () => {
      [server, sink] = await Promise.all([start(), startMailSink()]);
      keywright = await startKeywright({
        server,
        nodes: NODES,
        clock: 'fake',
        env: mailThrough(sink),
      });
      const config = {
        allowed_login_methods: ['password' as const, 'magic_link' as const, 'passkey' as const],
        login_attempts_limit: 10_000,
      };
      tenant = await keywright.tenant('in-app-races', { config });
      client = await newInAppClient(tenant);
    });
    after(async () => {
      await keywright.close();
      await sink.close();
      await server?.close();
    });

    const sessionsOf = async ({ user }: TestUser, kind: string) => {
      const sql = 'SELECT FROM sessions WHERE tenant_id = $1 AND user_id = $2 AND kind = $3';
      return (await keywright.database.query(sql, [tenant.id, user.id, kind])).length;
    };

    /** The last step, often concurrently on all nodes: one code, one login, and one session of the application. */
    async function assertSingleLogin(
      user: TestUser,
      login: InApp,
      step: Readonly<Record<string, string>>,
    ): Promise<void> {
      const { session } = login;
      const former = await sessionsOf(user, 'browser');
      const answers: ChallengeAnswer[] = await parallel(AT_ONCE, (index) =>
        login.send({ auth_session: session, ...step }, { node: index % NODES }),
      );
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1, answers.map(({ body }) => body.code).join());
      for (const { body, status } of answers) {
        assert.ok(status === 200 || LOST.has(body.error), JSON.stringify(body));
      }
      assert.equal(await sessionsOf(user, 'browser'), former + 1);
      const code = won[0]?.body.authorization_code ?? '';
      expectStatus(200, await login.redeem(code));
      assert.equal(await sessionsOf(user, 'client'), 1);
    }

    test('A password sent many times at the same time in a login inside an application leads to one code', async () => {
      const user = await tenant.createUser();
      const login = new InApp(tenant, client);
      await login.start({ login_hint: user.identifier });
      await assertSingleLogin(user, login, { password: user.password });
    });

    test('A message code sent many times at the same time in a login inside an application leads to one code', async () => {
      const user = await tenant.createUser();
      const login = new InApp(tenant, client);
      await login.start({ login_hint: user.identifier });
      await login.go({ message: 'email' });
      const { code } = await mailedTo(sink, user.identifier);
      await assertSingleLogin(user, login, { message_code: code });
    });

    test('An authenticator app code sent many times at the same time in a login inside an application leads to one code', async () => {
      const user = await tenant.createUser();
      const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
      keywright.clock.advance(30);
      const login = new InApp(tenant, client);
      await login.start({ login_hint: user.identifier, password: user.password });
      await assertSingleLogin(user, login, { totp_code: totpOf(secret, keywright.clock.now()) });
    });

    test('A passkey sent many times at the same time in a login inside an application leads to one code', async () => {
      const user = await tenant.createUser();
      const { passkey } = await addPasskey(tenant, user.token);
      const login = new InApp(tenant, client);
      await login.start();
      const { passkey_options: options } = (await login.go({ passkey_options: 'true' })).body;
      assert.ok(options);
      await assertSingleLogin(user, login, { passkey: JSON.stringify(passkey.get(options)) });
    });
  });
}
