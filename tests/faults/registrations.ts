import assert from 'node:assert/strict';
import type { ClientInformation } from '@keywright/contract/records/client-metadata';
import type { CreatedRegistrationToken } from '@keywright/contract/records/registration-token';
import { parallel } from '../harness/parallel.ts';
import { until } from '../harness/until.ts';
import { Fleet } from './fleet.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const NODES = 2;
const WRITERS = 8;
const REGISTERED = 100;
/** More than are used. */
const USES = 1000;
const DEADLINE_MS = 120_000;

/** A node is killed while applications register, and end their registrations. */
export const registrations: Scenario = {
  name: 'registrations',
  about: `one of ${NODES} nodes killed while applications register; a round is a kill`,
  rounds: 5,
  run: (run) => registerThroughKills(run, REGISTERED),
};

/** The latest registration that was acknowledged to an application. */
interface Registration {
  readonly id: string;
  readonly token: string;
  readonly name: string;
  /** A DELETE got no response, so the registration can be gone. */
  mayBeGone: boolean;
}

/**
 * @param each how many applications register between two kills
 * @throws when an acknowledged registration is lost, or any is incomplete
 */
export async function registerThroughKills(run: Run, each: number): Promise<Figures> {
  const fleet = await Fleet.start({ nodes: NODES });
  try {
    const token = await fleet.asAdmin<CreatedRegistrationToken>(
      'POST',
      '/clients/registration-tokens',
      { name: 'Partners', uses: USES },
    );
    const acknowledged: Registration[] = [];
    const ending = new AbortController();
    const writers = parallel(WRITERS, async (writer) => {
      for (let turn = 0; !ending.signal.aborted; turn += 1) {
        await register(fleet, token.registration_token ?? '', `${writer} ${turn}`, acknowledged);
      }
    });
    for (let kill = 1; kill <= run.rounds; kill += 1) {
      await until('some have registered', () => acknowledged.length >= kill * each, DEADLINE_MS);
      run.say(`killed after ${acknowledged.length}`);
      await fleet.kill(run.random.between(0, NODES));
    }
    await until('some have registered since', () => acknowledged.length >= (run.rounds + 1) * each);
    ending.abort();
    await writers;
    return {
      acknowledged: acknowledged.length,
      kills: run.rounds,
      ...(await judge(fleet, acknowledged)),
    };
  } finally {
    await fleet.close();
  }
}

/** Registers an application, and immediately deletes every third registration. Any response can be lost. */
async function register(
  fleet: Fleet,
  token: string,
  name: string,
  acknowledged: Registration[],
): Promise<void> {
  const node = acknowledged.length;
  const redirect_uris = ['https://app.example.com/callback'];
  const body = { client_name: name, redirect_uris };
  const made = await fleet.request<ClientInformation>(node, 'POST', '/oauth/register', {
    token,
    body,
  });
  if (made?.status !== 201) return;
  const { client_id: id, registration_access_token: registrationToken = '' } = made.body;
  const registration: Registration = { id, token: registrationToken, name, mayBeGone: false };
  acknowledged.push(registration);
  if (acknowledged.length % 3 !== 0) return;
  registration.mayBeGone = true;
  await fleet.request(node + 1, 'DELETE', `/oauth/register/${id}`, { token: registrationToken });
}

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly has_registration: boolean;
  readonly entries: number;
}

async function judge(fleet: Fleet, acknowledged: readonly Registration[]): Promise<Figures> {
  const rows = await fleet.database.query<Row>(
    `SELECT c.id, c.name, r.client_id IS NOT NULL AS has_registration,
            (SELECT count(*)::integer FROM audit_entries a
              WHERE a.tenant_id = c.tenant_id AND a.target_id = c.id AND a.action = 'client.created') AS entries
       FROM oauth_clients c
       LEFT JOIN client_registrations r ON r.tenant_id = c.tenant_id AND r.client_id = c.id
      WHERE c.created_by = 'registration'`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const lost = acknowledged.filter(({ id, mayBeGone }) => !mayBeGone && !byId.has(id));
  assert.deepEqual(lost, [], 'applications that were answered as registered');
  const halves = rows.filter((row) => !row.has_registration || row.entries !== 1);
  assert.deepEqual(halves, [], 'clients without a registration or without an entry of the log');
  for (const { id, token, name } of acknowledged) {
    if (!byId.has(id)) continue;
    const read = await fleet.requestOk<ClientInformation>(0, 'GET', `/oauth/register/${id}`, {
      token,
    });
    assert.deepEqual([read.client_id, read.client_name], [id, name]);
  }
  const [used] = await fleet.database.query<{ uses: number; created: number }>(
    `SELECT t.uses, (SELECT count(*)::integer FROM audit_entries a
                      WHERE a.tenant_id = t.tenant_id AND a.action = 'client.created') AS created
       FROM registration_tokens t`,
  );
  assert.equal(used && USES - used.uses, used?.created, 'each use of the token made one');
  return { registered: rows.length, lost: 0 };
}
