import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OfferedFlow } from '@keywright/contract/records/login-flow';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { startSecondStep, proveSecondFactor } from '../harness/second-step.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { type ConfirmedTotp, enrollTotp, totpOf } from '../harness/totp.ts';

const NODES = 3;
const AT_ONCE = 64;
/** Of one identifier. */
const OPEN_FLOWS = 20;
const PERIOD = 30;

for (const { name, start } of raceServers()) {
  describe(`second factors in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let tenant: TestTenant;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES, clock: 'fake' });
      tenant = await keywright.tenant('race', { config: { login_attempts_limit: 10_000 } });
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    async function enrolled(): Promise<{ user: TestUser; totp: ConfirmedTotp }> {
      const user = await tenant.createUser();
      const totp = await enrollTotp(tenant, user.token, keywright.clock);
      keywright.clock.advance(2 * PERIOD);
      return { user, totp };
    }

    /** Presents the same code concurrently in many flows whose password is proven. */
    async function assertSingleWinner(
      user: TestUser,
      step: 'totp' | 'recovery-code',
      code: string,
    ) {
      const flows: OfferedFlow[] = [];
      while (flows.length < OPEN_FLOWS) flows.push(await startSecondStep(tenant, user));
      const answers = await parallel(AT_ONCE, (index) => {
        const flow = flows[index % OPEN_FLOWS];
        assert.ok(flow);
        return proveSecondFactor(tenant, step, flow, code, { node: index % NODES });
      });
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      for (const { body } of answers.filter((answer) => !won.includes(answer))) {
        assert.ok(['CODE_WRONG', 'FLOW_ENDED', 'TOO_MANY_ATTEMPTS'].includes(body.code));
        assert.equal(body.access_token, undefined);
      }
    }

    test('One code of an authenticator presented concurrently is accepted once', async () => {
      const { user, totp } = await enrolled();
      await assertSingleWinner(user, 'totp', totpOf(totp.secret, keywright.clock.now()));
    });

    test('One recovery code presented concurrently is accepted once', async () => {
      const { user, totp } = await enrolled();
      await assertSingleWinner(user, 'recovery-code', totp.codes[0] ?? '');
    });

    test('No more concurrent guesses at a second factor are compared than the limit of a flow', async () => {
      const { user } = await enrolled();
      const flow = await startSecondStep(tenant, user);
      const answers = await parallel(AT_ONCE, (index) =>
        proveSecondFactor(tenant, 'totp', flow, '000000', { node: index % NODES }),
      );
      const codes = answers.map(({ body }) => body.code);
      assert.equal(codes.filter((code) => code === 'CODE_WRONG').length, 5);
      assert.equal(codes.filter((code) => code === 'FLOW_ENDED').length, AT_ONCE - 5);
    });

    test('A login with the last second factor completes before the removal of the factor, or fails', async () => {
      for (let round = 0; round < 8; round += 1) {
        const { user, totp } = await enrolled();
        const flow = await startSecondStep(tenant, user);
        const code = totpOf(totp.secret, keywright.clock.now());
        const { token } = await tenant.createUser({ roles: ['admin'] });
        const path = `/users/${user.user.id}/factors/${totp.factor.id}`;
        const [removed, login] = await Promise.all([
          tenant.request('DELETE', path, { token, node: round % NODES }),
          proveSecondFactor(tenant, 'totp', flow, code, { node: (round + 1) % NODES }),
        ]);
        expectStatus(200, removed);
        if (login.status === 200) assert.equal(login.body.flow.status, 'complete');
        else
          assert.ok(
            ['CODE_WRONG', 'FLOW_ENDED', 'STEP_NOT_NEEDED'].includes(login.body.code),
            login.text,
          );
        // Afterward, the password alone is enough.
        await tenant.login(user.identifier, user.password);
      }
    });
  });
}
