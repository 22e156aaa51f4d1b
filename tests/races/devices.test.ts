import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { startDevice, type Device, DeviceBrowser, deviceClient } from '../harness/device.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { PostgresServer } from '../harness/postgres.ts';
import { raceServers } from '../harness/race-servers.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { oauthError } from '../harness/token-endpoint.ts';

const NODES = 3;
const AT_ONCE = 24;
const ROUNDS = 8;
const CONNECTED = 'Device connected';
const DENIED = 'Device not connected';
const OVER = 'This code no longer works';
const LIFETIME = 600;

for (const { name, start } of raceServers()) {
  describe(`a device in a race, on ${name}`, () => {
    let server: PostgresServer | undefined;
    let keywright: Keywright;
    let tenant: TestTenant;
    let users: readonly TestUser[];
    let client: CreatedOAuthClient;

    before(async () => {
      server = await start();
      keywright = await startKeywright({ server, nodes: NODES, clock: 'fake' });
      tenant = await keywright.tenant('devices');
      users = [await tenant.createUser(), await tenant.createUser()];
      client = await deviceClient(tenant);
    });
    after(async () => {
      await keywright.close();
      await server?.close();
    });

    const browserOf = (user: TestUser) =>
      new DeviceBrowser(tenant, `https://id.example.com/t/${tenant.id}`, user);

    const opened = async () => {
      const sql = `SELECT FROM sessions WHERE tenant_id = $1 AND kind = 'client'`;
      return (await keywright.database.query(sql, [tenant.id])).length;
    };

    /** The outcomes of many concurrent polls, on all nodes. */
    const poll = async (device: Device): Promise<string[]> => {
      const answers = await parallel(AT_ONCE, (index) => device.poll({}, { node: index % NODES }));
      return answers.map((answer) => (answer.status === 200 ? 'tokens' : oauthError(answer)));
    };
    const tokensIn = (outcomes: readonly string[]) =>
      outcomes.filter((outcome) => outcome === 'tokens').length;

    test('A device that was allowed gets tokens once, however many polls arrive at the same time', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const device = await startDevice(tenant, client);
        const [user] = users;
        assert.ok(user);
        assert.equal((await browserOf(user).decide(device.userCode, 'allow')).title, CONNECTED);
        const earlier = await opened();
        assert.equal(tokensIn(await poll(device)), 1);
        assert.equal(await opened(), earlier + 1);
      }
    });

    test('A device that polls many times at the same time gets authorization_pending once and slow_down otherwise', async () => {
      const device = await startDevice(tenant, client);
      const outcomes = await poll(device);
      const pending = outcomes.filter((outcome) => outcome.includes('authorization_pending'));
      const early = outcomes.filter((outcome) => outcome.includes('slow_down'));
      assert.deepEqual([pending.length, early.length], [1, AT_ONCE - 1]);
    });

    test('A device that is allowed, denied, polled and expires at the same time has exactly one of these outcomes', async () => {
      for (let round = 0; round < ROUNDS * 2; round += 1) {
        const device = await startDevice(tenant, client);
        const browsers = users.map(browserOf);
        for (const browser of browsers) await browser.type(device.userCode);
        const [allows, denies] = browsers;
        assert.ok(allows && denies);
        const expires = round % 2 === 0;
        keywright.clock.advance(expires ? LIFETIME - 1 : 6);
        const earlier = await opened();
        const end = async () => {
          const outcomes = await poll(device);
          if (expires) keywright.clock.advance(1);
          return outcomes;
        };
        const [early, late, allowed, denied] = await Promise.all([
          poll(device),
          end(),
          allows.press('allow'),
          denies.press('deny'),
        ]);
        keywright.clock.advance(6);
        const tokens = tokensIn([...early, ...late, ...(await poll(device))]);
        const pair = `${allowed.title}, ${denied.title}`;
        const pairs = [`${CONNECTED}, ${OVER}`, `${OVER}, ${DENIED}`, `${OVER}, ${OVER}`];
        assert.ok(pairs.includes(pair), pair);
        const isConnected = allowed.title === CONNECTED;
        assert.deepEqual([tokens, (await opened()) - earlier], isConnected ? [1, 1] : [0, 0], pair);
      }
    });
  });
}
