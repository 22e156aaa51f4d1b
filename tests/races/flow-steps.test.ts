import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody, ErrorCode } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { startMailSink, type MailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough } from '../harness/mailed.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf, sessionOf } from '../harness/token.ts';
import { totpOf } from '../harness/totp.ts';

const NODES = 3;
const AT_ONCE = 64;

/** Codes of an authenticator are also counted per user. */
const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  'FLOW_ENDED',
  'STEP_NOT_NEEDED',
  'CODE_WRONG',
  'TOO_MANY_ATTEMPTS',
]);

/** A flow, as its client names it. */
interface Client {
  readonly id: string;
  readonly flow_token: string;
}

for (const { name, start } of raceServers()) {
  describe(`the last step of a flow in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let sink: MailSink;
    let keywright: Keywright;
    let tenant: TestTenant;

    before(async () => {
      [server, sink] = await Promise.all([start(), startMailSink()]);
      const env = { ...mailThrough(sink), KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
      keywright = await startKeywright({ server, nodes: NODES, env });
      tenant = await keywright.tenant('steps', {
        config: { magic_link_url: 'https://app.example.com/login', login_attempts_limit: 10_000 },
      });
    });
    after(async () => {
      await keywright.close();
      await sink.close();
      await server?.close();
    });

    let addresses = 0;
    /** Returns another client address, since an address can start few flows and request few messages. */
    const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${(addresses += 1) % 250}` });

    async function startFlow(body: object): Promise<Client> {
      const options = { body, headers: newAddress() };
      const answer = await tenant.request<StartedFlow>('POST', '/auth/flows', options);
      const { flow, flow_token } = expectStatus(201, answer);
      return { id: flow.id, flow_token };
    }

    function step<Body = FlowAnswer & ErrorBody>(
      { id, flow_token }: Client,
      path: string,
      input: object = {},
      node = 0,
    ) {
      const body = { flow_token, ...input };
      const options = { body, node, headers: newAddress() };
      return tenant.request<Body>('POST', `/auth/flows/${id}/${path}`, options);
    }

    async function mailed(identifier: string, body: object) {
      const client = await startFlow({ identifier, ...body });
      expectStatus(200, await step(client, 'message'));
      return { client, ...(await mailedTo(sink, identifier)) };
    }

    /** Takes the step concurrently on all nodes. @returns the tokens of the only attempt that leads to some */
    async function winnerOf(
      attempt: (index: number, node: number) => Promise<Answer<FlowAnswer & ErrorBody>>,
    ): Promise<string> {
      const answers = await parallel(AT_ONCE, (index) => attempt(index, index % NODES));
      const won = answers.filter(({ body }) => body.access_token !== undefined);
      assert.equal(won.length, 1);
      for (const { body, text } of answers.filter((answer) => !won.includes(answer))) {
        assert.ok(REFUSALS.has(body.code), text);
      }
      return won[0]?.body.access_token ?? '';
    }

    const rowsOf = async (sql: string, ...values: readonly string[]) =>
      (await keywright.database.query(sql, [tenant.id, ...values])).length;
    const sessionsOf = (token: string) =>
      rowsOf('SELECT FROM sessions WHERE tenant_id = $1 AND user_id = $2', claimsOf(token).sub);

    test('A registration link used many times concurrently creates one user with one session', async () => {
      const identifier = newIdentifier();
      const { client, linkToken } = await mailed(identifier, { register: true });
      const token = await winnerOf((_, node) =>
        step(client, 'link', { link_token: linkToken }, node),
      );
      assert.equal(await sessionsOf(token), 1);
      const sql = 'SELECT FROM user_identifiers WHERE tenant_id = $1 AND identifier = $2';
      assert.equal(await rowsOf(sql, identifier), 1);
    });

    test('A code is used once, by the flow that requested it or by one of those that continue it', async () => {
      const { client, linkToken, code } = await mailed(newIdentifier(), { register: true });
      const others = await parallel(4, () => startFlow({ continue: linkToken }));
      const clients = [client, ...others];
      const token = await winnerOf((index, node) =>
        step(clients[index % clients.length] ?? client, 'code', { code }, node),
      );
      assert.equal(await sessionsOf(token), 1);
    });

    test('A recovery sets one of many concurrent new passwords, and opens one session', async () => {
      const user = await tenant.createUser();
      const { client, code } = await mailed(user.identifier, { purpose: 'recovery' });
      expectStatus(200, await step(client, 'code', { code }));
      const secrets = Array.from({ length: AT_ONCE }, newPassword);
      const outcomes: boolean[] = [];
      await winnerOf(async (index, node) => {
        const answer = await step(client, 'new-password', { secret: secrets[index] }, node);
        outcomes[index] = answer.status === 200;
        return answer;
      });
      const { identifier } = user;
      assert.ok(await tenant.login(identifier, secrets[outcomes.indexOf(true)] ?? ''));
      const secret = secrets[outcomes.indexOf(false)];
      const options = { body: { identifier, secret } };
      expectStatus(401, await tenant.request('POST', '/auth/login', options));
    });

    test('A step-up completed many times at the same time raises its session once and returns tokens to one caller', async () => {
      const user = await tenant.createUser();
      const options = { token: user.token, body: {} };
      const answer = await tenant.request<StartedFlow>('POST', '/me/step-up', options);
      const { flow, flow_token } = expectStatus(201, answer);
      const client = { id: flow.id, flow_token };
      const sessions = await sessionsOf(user.token);
      const secret = user.password;
      const token = await winnerOf((_, node) => step(client, 'password', { secret }, node));
      assert.equal(sessionOf(token), sessionOf(user.token));
      assert.equal(await sessionsOf(token), sessions);
      const sql = `SELECT FROM audit_entries
        WHERE tenant_id = $1 AND action = 'auth.stepped_up' AND actor_id = $2`;
      assert.equal(await rowsOf(sql, user.user.id), 1);
    });

    test('An enrollment confirmed many times concurrently adds one factor, and opens one session with it', async () => {
      const user = await tenant.createUser();
      const { client, code } = await mailed(user.identifier, { acr: 'aal2' });
      expectStatus(200, await step(client, 'code', { code }));
      const enrollment = await step<{ secret: string }>(client, 'enroll/totp');
      const input = { code: totpOf(expectStatus(200, enrollment).secret, new Date()) };
      const token = await winnerOf((_, node) => step(client, 'enroll/totp/confirm', input, node));
      assert.equal(claimsOf(token).acr, 'aal2');
      const sql =
        "SELECT FROM user_factors WHERE tenant_id = $1 AND user_id = $2 AND type = 'totp'";
      assert.equal(await rowsOf(sql, user.user.id), 1);
      const sessions = `SELECT FROM sessions
        WHERE tenant_id = $1 AND user_id = $2 AND acr = 'aal2'`;
      assert.equal(await rowsOf(sessions, user.user.id), 1);
    });
  });
}
