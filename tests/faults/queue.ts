import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { newEventId } from '@keywright/server/platform/crypto/ids';
import type { TestDatabase } from '../harness/database.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { until } from '../harness/until.ts';
import { Fleet } from './fleet.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const QUEUED = 100_000;
const ENDPOINTS = 4;
const EVENTS_IN_A_STATEMENT = 1000;
const TENANT = 'org_default';
export const KIND = 'workspace.created';
/** Deliveries of a killed process are taken over when its lease expires. */
const DEADLINE_MS = 600_000;

/** The process that sends webhooks is killed while they are queued. */
export const queue: Scenario = {
  name: 'queue',
  about: `the process killed with ${QUEUED} deliveries queued; a round is a kill`,
  rounds: 5,
  run: (run) => dispatchThroughKills(run, QUEUED),
};

export async function dispatchThroughKills(run: Run, queued: number): Promise<Figures> {
  const endpoints = await Endpoints.open();
  const fleet = await Fleet.start({ nodes: 1, env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  try {
    for (let number = 0; number < ENDPOINTS; number += 1) {
      const webhook = { url: `${endpoints.url}/${number}`, events: [KIND] };
      await fleet.asAdmin('POST', '/webhooks', webhook);
    }
    const events = await emit(fleet.database, queued / ENDPOINTS);
    const startedAt = performance.now();
    for (const share of killsAt(run)) {
      const target = Math.max(1, Math.floor(queued * share));
      await until('a part has come', () => endpoints.came.size >= target, DEADLINE_MS);
      run.say(`killed after ${endpoints.came.size} of ${queued}`);
      await fleet.kill(0);
    }
    await until('all have come', () => endpoints.came.size >= queued, DEADLINE_MS);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { ...judge(endpoints, events), kills: run.rounds, seconds };
  } finally {
    await fleet.close();
    await endpoints.close();
  }
}

/** When to kill, as fractions of the total, each before the last delivery can have been received. */
function killsAt({ random, rounds }: Run): number[] {
  const lots = Array.from({ length: rounds }, () => random.between(0, 900) / 1000);
  return lots.toSorted((lot, other) => lot - other);
}

/** Queues directly, as if the service had died just after the commit. @returns the ids of the events */
export async function emit(database: TestDatabase, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const created_at = new Date();
    const events = Array.from(
      { length: Math.min(EVENTS_IN_A_STATEMENT, count - ids.length) },
      () => {
        const id = newEventId(created_at);
        const data = {
          tenant_id: TENANT,
          workspace_id: `ws_${id.slice(-9)}`,
          name: 'Ünïque "room"',
        };
        return { id, type: KIND, subject: data.workspace_id, data, created_at };
      },
    );
    await database.query('SELECT kw_emit($1, $2)', [TENANT, JSON.stringify(events)]);
    ids.push(...events.map(({ id }) => id));
  }
  return ids;
}

function judge({ came, differing, repeated }: Endpoints, events: readonly string[]): Figures {
  const lost = events.flatMap((id) =>
    Array.from({ length: ENDPOINTS }, (_, number) => `/${number} ${id}`).filter(
      (key) => !came.has(key),
    ),
  );
  assert.deepEqual(lost, [], 'deliveries that never came');
  assert.deepEqual(differing, [], 'deliveries that were repeated with another body');
  return { deliveries: came.size, lost: lost.length, repeated, differing: differing.length };
}

/** The digests of the bodies received for each event at each path. */
class Endpoints {
  readonly came = new Map<string, string>();
  readonly differing: string[] = [];
  repeated = 0;
  readonly #receiver: Receiver;

  private constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  static async open(): Promise<Endpoints> {
    const receiver = await startReceiver((request, response) => {
      const digest = createHash('sha256');
      request.on('data', (chunk: Buffer) => digest.update(chunk));
      request.on('end', () => {
        endpoints.#note(
          `${request.url} ${String(request.headers['webhook-id'])}`,
          digest.digest('hex'),
        );
        response.end();
      });
    });
    const endpoints = new Endpoints(receiver);
    return endpoints;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#receiver.port}`;
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }

  #note(key: string, digest: string): void {
    const before = this.came.get(key);
    if (before === undefined) return void this.came.set(key, digest);
    this.repeated += 1;
    if (before !== digest) this.differing.push(key);
  }
}
