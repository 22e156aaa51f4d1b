import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { sessionOf } from '../harness/token.ts';

const NODES = 3;
const AT_ONCE = 64;

for (const { name, start } of raceServers()) {
  describe(`login flows in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let tenant: TestTenant;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES });
      tenant = await keywright.tenant('flows', {
        config: { login_attempts_limit: 10_000, login_attempts_address_limit: 10_000 },
      });
    });
    after(async () => {
      await keywright.close();
      await server?.close();
    });

    async function startFlow(identifier: string): Promise<StartedFlow> {
      const body = { identifier };
      return expectStatus(201, await tenant.request<StartedFlow>('POST', '/auth/flows', { body }));
    }

    test('64 parallel last steps of one flow on three nodes open one session', async () => {
      const user = await tenant.createUser();
      const { flow, flow_token } = await startFlow(user.identifier);
      const body = { flow_token, secret: user.password };
      const path = `/auth/flows/${flow.id}/password`;
      const answers = await parallel(AT_ONCE, (index) =>
        tenant.request<FlowAnswer & ErrorBody>('POST', path, { body, node: index % NODES }),
      );
      const winners = answers.filter(({ status }) => status === 200);
      assert.equal(winners.length, 1);
      const codes = new Set(answers.map((answer) => answer.body.code));
      assert.deepEqual(codes, new Set([undefined, 'FLOW_ENDED']));
      const rows = await keywright.database.query(
        'SELECT FROM sessions WHERE user_id = $1 AND auth_time >= $2',
        [user.user.id, new Date(Date.parse(flow.expires_at) - 15 * 60_000)],
      );
      assert.equal(rows.length, 1);
    });

    test('64 clients that lost the answer get the tokens of one session on three nodes', async () => {
      const user = await tenant.createUser();
      const { flow, flow_token } = await startFlow(user.identifier);
      const secret = user.password;
      const answers = await parallel(AT_ONCE, async (index) => {
        const path = `/auth/flows/${flow.id}`;
        const node = index % NODES;
        await tenant.request('POST', `${path}/password`, { body: { flow_token, secret }, node });
        const body = { flow_token };
        const again = await tenant.request<FlowAnswer>('POST', `${path}/tokens`, { body, node });
        return expectStatus(200, again);
      });
      const tokens = answers.map((answer) => `${answer.access_token} ${answer.refresh_token}`);
      assert.equal(new Set(tokens).size, 1);
      const sql = 'SELECT FROM login_flows WHERE id = $1 AND session_id = $2';
      const session = sessionOf(answers[0]?.access_token ?? '');
      assert.equal((await keywright.database.query(sql, [flow.id, session])).length, 1);
    });

    test('A login flow advanced and canceled at the same time either opens a session or ends', async () => {
      for (let round = 0; round < 10; round += 1) {
        const user = await tenant.createUser();
        const { flow, flow_token } = await startFlow(user.identifier);
        const [proven, canceled] = await Promise.all([
          tenant.request<FlowAnswer>('POST', `/auth/flows/${flow.id}/password`, {
            body: { flow_token, secret: user.password },
            node: 1,
          }),
          tenant.request<FlowAnswer>('POST', `/auth/flows/${flow.id}/cancel`, {
            body: { flow_token },
            node: 2,
          }),
        ]);
        expectStatus(200, canceled);
        const headers = { 'x-flow-token': flow_token };
        const read = await tenant.request<FlowAnswer>('GET', `/auth/flows/${flow.id}`, { headers });
        const expected = proven.status === 200 ? 'complete' : 'ended';
        assert.equal(read.body.flow.status, expected, `${round}`);
      }
    });
  });
}
