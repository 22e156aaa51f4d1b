import { newEventId } from '@keywright/server/platform/crypto/ids';
import { statement } from '@keywright/server/platform/db/database';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { until } from '@keywright/tests/harness/until';
import type { Bench } from '../measure/bench.ts';
import { type Service, startService } from '../target/service.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { ALLOWED, Admin } from './scene.ts';

const QUEUED = 100_000;
const IN_A_STATEMENT = 1000;
const ENDPOINTS = 20;
const KILLS = 5;
const KIND = 'workspace.created';
const EMIT = statement('kw_bench_emit', 'SELECT kw_emit($1, $2)');
const DEADLINE_MS = 300_000;

export interface CrashFigures {
  readonly queued: number;
  readonly kills: number;
  /** Has to be none. */
  readonly lost: number;
  /** Deliveries that came more than once. */
  readonly repeated: number;
  /** Of those, the ones with another body than before: has to be none. */
  readonly differing: number;
  /** All lives of the process together, starts included. */
  readonly seconds: number;
}

/** Kills the process again and again while it sends what was queued before it began. */
export async function measureCrash(bench: Bench, queued = QUEUED): Promise<CrashFigures> {
  const env = { ...bench.env, ...ALLOWED };
  const receiver = await startReceiver();
  await receiver.keep(true);
  let service = await startService(env);
  try {
    const admin = new Admin(bench, service.port);
    for (let host = 0; host < ENDPOINTS; host += 1) {
      await admin.register(receiver.url(`/${host}`, host), [KIND]);
    }
    admin.close();
    // Before anything is queued: it is not this process that sends it.
    await service.stop();
    const expected = await queue(bench, queued / ENDPOINTS);
    const seen = new Map<string, string>();
    const tally = { repeated: 0, differing: 0 };
    const began = performance.now();
    for (let life = 1; life <= KILLS + 1; life += 1) {
      service = await startService(env);
      const wanted = life > KILLS ? queued : (queued * life) / (KILLS + 1);
      await receive(receiver, wanted, seen, tally);
      if (life <= KILLS) await kill(service);
    }
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    await remove(bench, service);
    const lost = expected.size * ENDPOINTS - seen.size;
    return { queued, kills: KILLS, lost, ...tally, seconds };
  } finally {
    await service.stop();
    receiver.close();
  }
}

async function queue({ env, seed }: Bench, count: number): Promise<ReadonlySet<string>> {
  const database = openPostgres(env['KEYWRIGHT_DATABASE_URL'] ?? '', () => {});
  const ids = new Set<string>();
  try {
    while (ids.size < count) {
      const events = Array.from({ length: Math.min(IN_A_STATEMENT, count - ids.size) }, () =>
        eventOf(seed.tenantId),
      );
      for (const { id } of events) ids.add(id);
      const values = [seed.tenantId, JSON.stringify(events)];
      await database.run(EMIT, values);
    }
  } finally {
    await database.close();
  }
  return ids;
}

function eventOf(tenantId: string) {
  const now = new Date();
  const id = newEventId(now);
  const data = { tenant_id: tenantId, workspace_id: `ws_${id.slice(-12)}`, name: 'A workspace' };
  return { id, type: KIND, subject: data.workspace_id, data, created_at: now };
}

/** Takes in what comes until so many different deliveries have come. */
async function receive(
  receiver: Receiver,
  wanted: number,
  seen: Map<string, string>,
  tally: { repeated: number; differing: number },
): Promise<void> {
  const isEnough = async () => {
    for (const { path, eventId, digest } of await receiver.take()) {
      const key = `${path} ${eventId}`;
      const before = seen.get(key);
      if (before !== undefined) tally.repeated += 1;
      if (before !== undefined && before !== digest) tally.differing += 1;
      seen.set(key, digest);
    }
    return seen.size >= wanted;
  };
  await until(`${wanted} deliveries`, isEnough, DEADLINE_MS);
}

async function kill({ pid }: Service): Promise<void> {
  process.kill(pid, 'SIGKILL');
  const isGone = () => {
    try {
      return process.kill(pid, 0) && false;
    } catch {
      return true;
    }
  };
  await until('the process is gone', isGone);
}

async function remove(bench: Bench, service: Service): Promise<void> {
  const admin = new Admin(bench, service.port);
  const list = (await admin.send('GET', '/webhooks?limit=100')) as { items: { id: string }[] };
  for (const { id } of list.items) await admin.send('DELETE', `/webhooks/${id}`);
  admin.close();
}
