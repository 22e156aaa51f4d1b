import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import {
  addPasskey,
  startPasskeyFlow,
  creationOptions,
  provePasskey,
  requestOptions,
  TestPasskey,
} from '../harness/passkey.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { TestTenant } from '../harness/tenant.ts';

const NODES = 3;
const AT_ONCE = 64;

for (const { name, start } of raceServers()) {
  describe(`passkeys in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let tenant: TestTenant;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES, clock: 'fake' });
      tenant = await keywright.tenant('race');
    });

    after(async () => {
      await keywright.close();
      await server?.close();
    });

    test('One passkey challenge answered many times concurrently leads to one session', async () => {
      const { token } = await tenant.createUser();
      const { passkey } = await addPasskey(tenant, token);
      const flow = await startPasskeyFlow(tenant);
      const credential = passkey.get(await requestOptions(tenant, flow));
      const answers = await parallel(AT_ONCE, (index) =>
        provePasskey(tenant, flow, credential, { node: index % NODES }),
      );
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      for (const { body } of answers.filter((answer) => !won.includes(answer))) {
        assert.ok(['PASSKEY_REFUSED', 'FLOW_ENDED'].includes(body.code));
        assert.equal(body.access_token, undefined);
      }
    });

    test('One signature count of a passkey leads to one session, regardless of the flow', async () => {
      const { token } = await tenant.createUser();
      const { passkey } = await addPasskey(tenant, token);
      const flows = await parallel(20, () => startPasskeyFlow(tenant));
      const answers = await parallel(flows.length, async (index) => {
        const flow = flows[index];
        assert.ok(flow);
        const credential = passkey.get(await requestOptions(tenant, flow), { counter: 5 });
        return provePasskey(tenant, flow, credential, { node: index % NODES });
      });
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    });

    test('One passkey creation presented many times concurrently adds one passkey', async () => {
      const { token } = await tenant.createUser();
      const credential = new TestPasskey().create(await creationOptions(tenant, token));
      const answers = await parallel(AT_ONCE, (index) =>
        tenant.request('POST', '/me/factors/passkeys', {
          token,
          body: { credential },
          node: index % NODES,
        }),
      );
      assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    });
  });
}
