import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { TenantId } from '@keywright/contract/ids';
import { pooled } from '@keywright/tests/harness/parallel';
import { until } from '@keywright/tests/harness/until';
import type { Bench } from '../measure/bench.ts';
import { residentKib } from '../measure/cpu.ts';
import { median } from '../measure/statistics.ts';
import type { Output } from '../report/output.ts';
import { openBenchDatabase } from '../target/database.ts';
import { seed } from '../target/seed.ts';
import { startService } from '../target/service.ts';
import { openScene, type Scene } from './scene.ts';
import { recordFigures } from '../report/figure.ts';

const MOST_MORE_MB = 30;
const MOST_MORE_TIME = 5;
/** Enough emails to load all code that sends them. */
const WARM_UP = 500;
const AT_ONCE = 8;

/** Tenants alongside the one whose server hangs, and the number of emails that each sends per round. */
const NEIGHBORS = 50;
const MAILS_OF_A_NEIGHBOR = 20;
const MAILS_THAT_HANG = 50;

/**
 * Measures the memory after one email from each of 10,000 tenants with separate settings, and after as many from one.
 */
export async function runManySenders(bench: Bench, output: Output): Promise<void> {
  const most = Math.max(...bench.options.tenants);
  output.say(`mail-tenants: setting up ${most} tenants`);
  await withTenants(bench, most, async (scene, tenantIds) => {
    await setServers(scene, tenantIds, scene.sink.port);
    const found: number[] = [];
    for (let round = 0; round < bench.options.rounds; round += 1) {
      const single = await megabytesAfter(scene, tenantIds.slice(0, 1), most);
      const all = await megabytesAfter(scene, tenantIds, most);
      output.say(`after ${most} mails of one tenant ${single} MB, of ${most} tenants ${all} MB`);
      found.push(all - single);
    }
    recordFigures(bench, output)('mail-tenants', 'MB', found, MOST_MORE_MB);
    console.log(`\nmail-tenants: ${median(found)} MB more for ${most} tenants`);
  });
}

async function megabytesAfter(
  scene: Scene,
  tenantIds: readonly TenantId[],
  mails: number,
): Promise<number> {
  const service = await startService(scene.env);
  try {
    await send(scene, tenantIds.slice(0, 1), WARM_UP);
    await send(scene, tenantIds, mails);
    return Math.round(residentKib(service.pid) / 1024);
  } finally {
    await service.stop();
  }
}

/** Queues this many emails of these tenants round-robin, and waits until they are sent. */
async function send(scene: Scene, tenantIds: readonly TenantId[], count: number): Promise<void> {
  const before = scene.sink.count();
  await fill(scene, tenantIds, count);
  await scene.release();
  await scene.untilSent(before + count);
}

async function fill(scene: Scene, tenantIds: readonly TenantId[], count: number): Promise<void> {
  const each = Math.ceil(count / tenantIds.length);
  await pooled(AT_ONCE, tenantIds, (tenantId) => scene.fillOf(tenantId, each));
}

/** Measures how much longer other tenants' emails take while one tenant's server accepts connections but hangs. */
export async function runHangingServer(bench: Bench, output: Output): Promise<void> {
  output.say('mail-hanging');
  const sockets = new Set<Socket>();
  const hanging = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  try {
    await withTenants(bench, NEIGHBORS + 1, async (scene, [troubled, ...others]) => {
      await setServers(scene, others, scene.sink.port);
      await setServers(scene, [troubled as TenantId], (hanging.address() as AddressInfo).port);
      const service = await startService(scene.env);
      try {
        await send(scene, others, WARM_UP);
        const ratios: number[] = [];
        for (let round = 0; round < bench.options.rounds; round += 1) {
          const alone = await secondsToSend(scene, others);
          await scene.fillOf(troubled as TenantId, MAILS_THAT_HANG);
          await scene.release();
          await until('a connection hangs', () => sockets.size > 0);
          const beside = await secondsToSend(scene, others);
          output.say(`${alone.toFixed(2)} s, next to it ${beside.toFixed(2)} s`);
          ratios.push((beside / alone - 1) * 100);
          await endHanging(scene, sockets);
        }
        recordFigures(bench, output)('mail-hanging', '%', ratios, MOST_MORE_TIME);
        console.log(`\nmail-hanging: mails of others take ${median(ratios).toFixed(1)} % longer`);
      } finally {
        await service.stop();
      }
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    hanging.close();
  }
}

async function secondsToSend(scene: Scene, tenantIds: readonly TenantId[]): Promise<number> {
  const count = tenantIds.length * MAILS_OF_A_NEIGHBOR;
  await fill(scene, tenantIds, count);
  const before = scene.sink.count();
  const startedAt = performance.now();
  await scene.release();
  await scene.untilSent(before + count);
  return (performance.now() - startedAt) / 1000;
}

/** Gives up the hanging tenant's messages, and closes its connections. */
async function endHanging(scene: Scene, sockets: Set<Socket>): Promise<void> {
  await scene.bench.database.query(
    `UPDATE messages SET status = 'failed', held_until = NULL WHERE status = 'pending'`,
  );
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

async function withTenants(
  bench: Bench,
  count: number,
  work: (scene: Scene, tenantIds: readonly TenantId[]) => Promise<void>,
): Promise<void> {
  const database = await openBenchDatabase('postgres');
  try {
    const env = {
      ...database.env,
      KEYWRIGHT_BASE_URL: 'https://id.example.com',
      KEYWRIGHT_LOG_LEVEL: bench.options.log,
      KEYWRIGHT_EGRESS_ALLOW: 'localhost',
    };
    const seeded = await seed(env, { tenants: count, people: count });
    const scene = await openScene({ ...bench, database, env, seed: seeded });
    try {
      await work(scene, [...new Set(seeded.people.map((person) => person.tenantId))]);
    } finally {
      await scene.close();
    }
  } finally {
    await database.close();
  }
}

/** Gives each tenant its own settings, with a different sender. */
async function setServers(
  { bench }: Scene,
  tenantIds: readonly TenantId[],
  port: number,
): Promise<void> {
  await bench.database.query(
    `UPDATE tenants SET messaging = jsonb_build_object('email', jsonb_build_object(
       'provider', 'smtp', 'smtp_host', 'localhost', 'smtp_port', $2::integer, 'smtp_security', 'tls',
       'from_address', 'login@' || replace(tenant_id, '_', '-') || '.example'))
      WHERE tenant_id = ANY ($1::text[])`,
    [tenantIds, port],
  );
}
