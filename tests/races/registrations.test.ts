// Applications that register at the same time, on all nodes.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import { newRegistrationToken, refusalOf, register } from '../harness/registration.ts';
import type { TestTenant } from '../harness/tenant.ts';

const NODES = 2;
const AT_ONCE = 32;

for (const { name, start } of raceServers()) {
  describe(`registrations in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES, clock: 'fake' });
    });
    after(async () => {
      await keywright.close();
      await server?.close();
    });

    const clientsOf = async ({ id }: TestTenant) => {
      const sql = 'SELECT FROM oauth_clients WHERE tenant_id = $1';
      return (await keywright.database.query(sql, [id])).length;
    };

    test('A registration token for one application registers one, however many requests arrive at the same time', async () => {
      const tenant = await keywright.tenant('one-use');
      const { registration_token: token = '' } = await newRegistrationToken(tenant);
      const answers = await parallel(AT_ONCE, (index) =>
        register(tenant, {}, { token, node: index % NODES }),
      );
      const outcomes = answers.map(refusalOf).toSorted();
      const refused = Array.from({ length: AT_ONCE - 1 }, () => '401 invalid_token');
      assert.deepEqual(outcomes, ['201', ...refused]);
      assert.equal(await clientsOf(tenant), 1);
    });

    test('A tenant with open registration accepts as many concurrent registrations as it allows, and no more', async () => {
      const config = { oauth_registration: 'open', oauth_max_registered_clients: 3 } as const;
      const tenant = await keywright.tenant('full', { config });
      const answers = await parallel(10, (index) => register(tenant, {}, { node: index % NODES }));
      const outcomes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`).toSorted();
      const refused = Array.from({ length: 7 }, () => '403 REGISTRATION_FULL');
      assert.deepEqual(outcomes, ['201 ', '201 ', '201 ', ...refused]);
      assert.equal(await clientsOf(tenant), 3);
    });
  });
}
