import assert from 'node:assert/strict';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { DELIVERY_METHODS } from '@keywright/contract/signals';
import { type Pushed, type SignalReceiver, startSignalReceiver } from '../harness/signals.ts';
import type { TestDatabase } from '../harness/database.ts';
import { until } from '../harness/until.ts';
import { Fleet } from './fleet.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const QUEUED = 10_000;
const NODES = 2;
const STREAMS = 4;
const TENANT = 'org_default';
/** Events that a killed process was sending are taken over when its lease expires, after 30 seconds. */
const DEADLINE_MS = 600_000;

/** A node that pushes events to receivers is killed while they are queued. */
export const signals: Scenario = {
  name: 'signals',
  about: `one of ${NODES} nodes killed with ${QUEUED} events queued; a round is a kill`,
  rounds: 5,
  run: (run) => pushThroughKills(run, { queued: QUEUED }),
};

interface SignalRun {
  readonly queued: number;
  /** Ends the leases of the killed process; default: they end by themselves. */
  readonly endsLeases?: boolean;
}

/** @throws if an event was lost, if a repetition differed, or if more than a hundredth was repeated */
export async function pushThroughKills(
  run: Run,
  { queued, endsLeases = false }: SignalRun,
): Promise<Figures> {
  const receiver = await startSignalReceiver();
  const fleet = await Fleet.start({ nodes: NODES, env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  try {
    await createStreams(fleet, receiver);
    await queue(fleet.database, queued / STREAMS);
    const came = () => new Set(receiver.pushed.map(({ claims }) => claims.jti)).size;
    const startedAt = performance.now();
    for (const share of killsAt(run)) {
      const target = Math.max(1, Math.floor(queued * share));
      await until('a part has come', () => came() >= target, DEADLINE_MS);
      run.say(`killed after ${came()} of ${queued}`);
      await fleet.kill(run.random.between(0, NODES));
      if (endsLeases) await endLeases(fleet.database);
    }
    await until('none is left', async () => (await pendingIn(fleet.database)) === 0, DEADLINE_MS);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const twice = await judge(fleet.database, receiver.pushed);
    // Results are stored in batches, so a killed process can lose several results.
    if (!endsLeases) assert.ok(twice <= queued / 100, `${twice} came twice`);
    return { events: queued, lost: 0, twice, kills: run.rounds, seconds };
  } finally {
    await fleet.close();
    await receiver.close();
  }
}

async function createStreams(fleet: Fleet, receiver: SignalReceiver): Promise<void> {
  const client = await fleet.asAdmin<CreatedOAuthClient>('POST', '/clients', {
    name: 'Receiver',
    kind: 'web',
    redirect_uris: ['https://receiver.example.com/callback'],
    grant_types: ['authorization_code', 'client_credentials'],
    shared_signals: 'all_users',
  });
  const { access_token: token } = await fleet.requestOk<ClientTokenAnswer>(
    0,
    'POST',
    '/auth/token',
    {
      rawBody: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.client_secret ?? '',
      }).toString(),
      contentType: 'application/x-www-form-urlencoded',
    },
  );
  for (let number = 0; number < STREAMS; number += 1) {
    const endpoint_url = `${receiver.url}/${number}`;
    const body = { delivery: { method: DELIVERY_METHODS.push, endpoint_url } };
    await fleet.requestOk(0, 'POST', '/oauth/ssf/streams', { token, body });
  }
}

/** Queues events in one transaction, as if the service had died just after it. */
async function queue(database: TestDatabase, count: number): Promise<void> {
  await database.query(
    `SELECT kw_signal($1, 'account-disabled', 'user:queued-' || n, NULL, NULL, NULL, '{}')
       FROM generate_series(1, $2::integer) AS n`,
    [TENANT, count],
  );
}

async function endLeases(database: TestDatabase): Promise<void> {
  await database.query(`UPDATE signal_deliveries SET held_until = NULL WHERE status = 'pending'`);
}

async function pendingIn(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM signal_deliveries WHERE status <> 'done'`,
  );
  return row?.count ?? 0;
}

/** @returns the number of events received twice */
async function judge(database: TestDatabase, pushed: readonly Pushed[]): Promise<number> {
  const came = Map.groupBy(pushed, ({ claims }) => claims.jti);
  const rows = await database.query<{ id: string }>('SELECT id FROM signal_deliveries');
  const lost = rows.filter(({ id }) => !came.has(id));
  assert.deepEqual(lost, [], 'events that never came');
  assert.equal(came.size, rows.length, 'events that were not queued');
  const differing = [...came.values()].filter(
    (deliveries) => new Set(deliveries.map(({ path, token }) => `${path} ${token}`)).size > 1,
  );
  assert.deepEqual(differing, [], 'events that came again at another address or in another form');
  return pushed.length - came.size;
}

/** When to kill, as fractions of the total, each before the last event can have been received. */
function killsAt({ random, rounds }: Run): number[] {
  const lots = Array.from({ length: rounds }, () => random.between(0, 900) / 1000);
  return lots.toSorted((lot, other) => lot - other);
}
