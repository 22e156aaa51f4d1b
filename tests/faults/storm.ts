import assert from 'node:assert/strict';
import type { TestDatabase } from '../harness/database.ts';
import { openInbox, type Inbox } from '../harness/inbox.ts';
import { parallel } from '../harness/parallel.ts';
import { seededRandom } from '../harness/random.ts';
import { until } from '../harness/until.ts';
import { Client } from './client.ts';
import { Fleet } from './fleet.ts';
import { type Delivery, History, type Outcome } from './history.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const NODES = 3;
const CLIENTS = 8;
/** The maximum number of successful requests between two faults. */
const CALM = 60;
const BACK_WITHIN_MS = 5000;
/** Another node repeats a delivery of a killed node seconds later. */
const DELIVERED_WITHIN_MS = 150_000;

/** Clients of three nodes on one PostgreSQL, while nodes, connections and the database are killed at random. */
export const storm: Scenario = {
  name: 'storm',
  about:
    'nodes, connections and PostgreSQL killed by lot under all kinds of requests; a round is a fault',
  rounds: 60,
  run: (run) => survive(run, true),
};

/** @param awaitsDeliveries whether to wait for webhooks, which takes seconds after a kill */
export async function survive(run: Run, awaitsDeliveries: boolean): Promise<Figures> {
  const inbox = await openInbox();
  const fleet = await Fleet.start({
    nodes: NODES,
    env: { KEYWRIGHT_EGRESS_ALLOW: new URL(inbox.url).hostname },
  });
  try {
    const history = new History();
    const webhook = { url: `${inbox.url}/`, events: ['workspace.created'] };
    await fleet.asAdmin('POST', '/webhooks', webhook);
    const figures = await weather(fleet, history, run);
    if (awaitsDeliveries) await deliveriesCameIn(fleet, inbox);
    const outcome = await readOutcome(fleet.database);
    const deliveries = awaitsDeliveries ? { deliveries: deliveriesIn(inbox) } : {};
    assert.deepEqual(history.violations({ ...outcome, ...deliveries }), []);
    return { ...figures, ...history.counts, deliveries: inbox.received.length };
  } finally {
    await fleet.close();
    await inbox.close();
  }
}

async function weather(fleet: Fleet, history: History, run: Run): Promise<Figures> {
  const { random, rounds, say } = run;
  // Each has its own random source, so its actions depend on the seed only, not on timing.
  const seeds = Array.from({ length: CLIENTS }, () => random.between(0, 2 ** 31));
  const clients = await parallel(CLIENTS, async (index) => {
    const tokens = await fleet.register(index);
    return new Client(fleet, history, seededRandom(seeds[index]), tokens);
  });
  const served = () => clients.reduce((sum, client) => sum + client.served, 0);
  let isOver = false;
  const lives = Promise.all(clients.map((client) => client.live(() => isOver)));
  const counts = { nodes: 0, connections: 0, database: 0 };
  let longestMs = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const target = served() + random.between(1, CALM);
      await until('requests are answered', () => served() >= target, 30_000);
      const kind = drawFault(random.between(0, 10), round);
      counts[kind] += 1;
      if (kind === 'database') longestMs = Math.max(longestMs, await fleet.killDatabase());
      if (kind === 'connections') await fleet.cutConnections();
      if (kind === 'nodes') await fleet.kill(random.between(0, NODES));
      say(`${round + 1} of ${rounds}: ${kind}, ${served()} requests served`);
    }
    const target = served() + CALM;
    await until('requests are answered at the end', () => served() >= target, 30_000);
  } finally {
    isOver = true;
  }
  await lives;
  assert.ok(
    longestMs < BACK_WITHIN_MS,
    `${Math.round(longestMs)} ms until every node served again`,
  );
  const { nodes, connections, database } = counts;
  return {
    'nodes killed': nodes,
    'connections cut': connections,
    'database killed': database,
    'back within ms': Math.round(longestMs),
  };
}

/** The first three rounds cover each kind, however few there are. */
function drawFault(lot: number, round: number): 'nodes' | 'connections' | 'database' {
  if (round === 0 || (round > 2 && lot < 6)) return 'nodes';
  return round === 1 || (round > 2 && lot < 8) ? 'database' : 'connections';
}

/** What the database holds. */
export async function readOutcome(database: Pick<TestDatabase, 'query'>): Promise<Outcome> {
  const slugs = (sql: string) => database.query<{ id: string }>(sql);
  const strip = (rows: readonly { id: string }[]) =>
    new Set(rows.map(({ id }) => id.replace(/^ws_/, '')).filter((id) => /^[0-9a-f]{16}$/.test(id)));
  const sessions = await database.query<{ id: string; generation: number }>(
    'SELECT id, generation FROM sessions',
  );
  return {
    stored: strip(await slugs('SELECT id FROM workspaces')),
    reported: strip(
      await slugs(
        `SELECT data ->> 'workspace_id' AS id FROM events WHERE type = 'workspace.created'`,
      ),
    ),
    generations: new Map(sessions.map(({ id, generation }) => [id, generation])),
  };
}

async function deliveriesCameIn(fleet: Fleet, inbox: Inbox): Promise<void> {
  const { stored } = await readOutcome(fleet.database);
  await until(
    'every event is delivered',
    () => new Set(deliveriesIn(inbox).map(({ write }) => write)).size >= stored.size,
    DELIVERED_WITHIN_MS,
  );
}

function deliveriesIn(inbox: Inbox): Delivery[] {
  return inbox.received.map(({ headers, body }) => {
    const { data } = JSON.parse(body) as { data: { workspace_id: string } };
    return {
      event: String(headers['webhook-id']),
      write: data.workspace_id.replace(/^ws_/, ''),
      body,
    };
  });
}
