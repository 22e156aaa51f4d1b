import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newSessionId } from '@keywright/server/platform/crypto/ids';
import type { TestDatabase } from '../harness/database.ts';
import { type LogoutReceiver, startLogoutReceiver } from '../harness/logout-receiver.ts';
import { until } from '../harness/until.ts';
import { Fleet } from './fleet.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const QUEUED = 20_000;
const CLIENTS = 4;
const SESSIONS_IN_A_STATEMENT = 1000;
const TENANT = 'org_default';
/** Logouts that a killed process was sending are taken over when its lease expires, after 30 seconds. */
const DEADLINE_MS = 600_000;

/** The process that notifies clients of logouts is killed while they are queued. */
export const logout: Scenario = {
  name: 'logout',
  about: `the process killed with ${QUEUED} logouts to deliver; a round is a kill`,
  rounds: 5,
  run: (run) => notifyThroughKills(run, { queued: QUEUED }),
};

interface LogoutRun {
  readonly queued: number;
  /** Ends the leases of the killed process; default: they end by themselves. */
  readonly endsLeases?: boolean;
}

/** @throws if a client was not notified of a session */
export async function notifyThroughKills(
  run: Run,
  { queued, endsLeases = false }: LogoutRun,
): Promise<Figures> {
  const receiver = await startLogoutReceiver();
  const fleet = await Fleet.start({ nodes: 1, env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  try {
    const clients: string[] = [];
    for (let number = 0; number < CLIENTS; number += 1) {
      clients.push(await register(fleet, `${receiver.url}/${number}`, number));
    }
    const sids = await endSessions(fleet.database, clients, queued);
    const startedAt = performance.now();
    for (const share of killsAt(run)) {
      const target = Math.max(1, Math.floor(queued * share));
      await until('a part is notified', () => notifiedSids(receiver).size >= target, DEADLINE_MS);
      run.say(`killed after ${notifiedSids(receiver).size} of ${queued}`);
      await fleet.kill(0);
      if (endsLeases) await endLeases(fleet.database);
    }
    await until('all are notified', () => notifiedSids(receiver).size >= queued, DEADLINE_MS);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const lost = sids.filter((sid) => !notifiedSids(receiver).has(sid));
    assert.deepEqual(lost, [], 'sessions of whose end no client was notified');
    const twice = receiver.received.length - queued;
    return { queued, lost: lost.length, twice, kills: run.rounds, seconds };
  } finally {
    await fleet.close();
    await receiver.close();
  }
}

async function register(fleet: Fleet, uri: string, number: number): Promise<string> {
  const made = await fleet.asAdmin('POST', '/clients', {
    name: `App ${number}`,
    kind: 'web',
    redirect_uris: [`https://app-${number}.example.com/callback`],
    id_token_signed_response_alg: 'EdDSA',
    backchannel_logout_uri: uri,
  });
  return String(made['id']);
}

/** Ends sessions of clients in one transaction, as if the service had died just after it. @returns their IDs */
async function endSessions(
  database: TestDatabase,
  clients: readonly string[],
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const rows = Array.from(
      { length: Math.min(SESSIONS_IN_A_STATEMENT, count - ids.length) },
      (_, index) => ({
        id: newSessionId(new Date()),
        kind: 'client',
        client_id: clients[index % clients.length],
        scopes: ['openid'],
        refresh_hash: `\\x${randomBytes(32).toString('hex')}`,
        status_idx: null,
        status_version: null,
      }),
    );
    await database.query(
      `INSERT INTO sessions
       SELECT (jsonb_populate_record(s, own.row)).*
         FROM sessions s, jsonb_array_elements($2::jsonb) AS own (row)
        WHERE s.id = (SELECT id FROM sessions WHERE tenant_id = $1 AND kind = 'api' LIMIT 1)`,
      [TENANT, JSON.stringify(rows)],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  await database.query(`UPDATE sessions SET is_active = false WHERE kind = 'client'`);
  return ids;
}

async function endLeases(database: TestDatabase): Promise<void> {
  await database.query(`UPDATE logout_deliveries SET held_until = NULL WHERE status = 'pending'`);
}

function notifiedSids(receiver: LogoutReceiver): ReadonlySet<string> {
  return new Set(receiver.received.map(({ sid }) => sid));
}

/** When to kill, as fractions of the total, each before the last logout can have been delivered. */
function killsAt({ random, rounds }: Run): number[] {
  const lots = Array.from({ length: rounds }, () => random.between(0, 900) / 1000);
  return lots.toSorted((lot, other) => lot - other);
}
