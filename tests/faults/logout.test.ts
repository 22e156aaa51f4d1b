// Logouts while applications are unreachable, and while the process that notifies them dies.
// `npm run faults -- logout` kills it with 20,000 logouts queued.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectStatus } from '../harness/http.ts';
import { startKeywright } from '../harness/keywright.ts';
import { startLogoutReceiver } from '../harness/logout-receiver.ts';
import { RelyingParty } from '../harness/relying-party.ts';
import { repeated } from '../harness/tier.ts';
import { notifyThroughKills } from './logout.ts';
import { replayable } from './scenario.ts';

const QUEUED = 600;
const KILLS = repeated(2);
const MINUTE = 60;
/** The documented delays after each failure: 5 s, 30 s, 5 min and 30 min, each plus or minus a tenth. */
const FAILS_FOR = (5 + 30 + 300 + 1800) * 1.1;

test('Every client is notified of every ended session after kill -9', async (t) => {
  const figures = await replayable(KILLS, (run) =>
    notifyThroughKills(run, { queued: QUEUED, endsLeases: true }),
  );
  t.diagnostic(`${QUEUED} sessions, ${KILLS} kills: ${figures['twice']} told twice`);
  assert.equal(figures['lost'], 0);
});

test('A logout receiver that is away for ten minutes is still notified, and given up after an hour', async () => {
  const receiver = await startLogoutReceiver();
  const port = Number(new URL(receiver.url).port);
  const uri = `${receiver.url}/app`;
  await receiver.close();
  const keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
  });
  const notifyDue = () => keywright.nodes[0]?.logouts.runDue();
  /** Advances in minutes, the interval at which the service checks for due logouts. */
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += MINUTE) {
      keywright.clock.advance(MINUTE);
      await notifyDue();
    }
  };
  try {
    const tenant = await keywright.tenant('away');
    const app = await RelyingParty.register(tenant, { fields: { backchannel_logout_uri: uri } });
    const end = async () => {
      const { sid } = await app.logIn(app.browser(), await tenant.createUser());
      const token = await tenant.adminToken();
      expectStatus(200, await tenant.request('DELETE', `/sessions/${sid}`, { token }));
      return sid;
    };
    const early = await end();
    await notifyDue();
    await pass(60 * MINUTE);
    const late = await end();
    await notifyDue();
    await pass(10 * MINUTE);
    const back = await startLogoutReceiver({ port });
    await pass(FAILS_FOR);
    const rows = await keywright.database.query<{ id: string; status: string; attempts: number }>(
      'SELECT id, status, attempts FROM logout_deliveries ORDER BY created_at',
    );
    const byId = new Map(rows.map(({ id, status, attempts }) => [id, `${status} ${attempts}`]));
    assert.equal(byId.get(early), 'failed 5', 'after an hour');
    assert.equal(byId.get(late), 'done 5', 'after ten minutes, at the last of five attempts');
    assert.deepEqual(
      back.received.map(({ sid }) => sid),
      [late],
    );
    await back.close();
  } finally {
    await keywright.close();
  }
});
