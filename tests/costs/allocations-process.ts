// Asks for the routes that are named on its command line, and prints the KiB that a request of each allocates as
// JSON. A process of its own: the test runner follows promises, which allocates more than some of the requests.

import assert from 'node:assert/strict';
import { getHeapStatistics } from 'node:v8';
import { startKeywright } from '../harness/keywright.ts';
import { OneConnection } from './exchange.ts';
import { PERSON, type Requests, ROUTES, type Scene } from './routes.ts';

/** By then what is called often is compiled, and what is allocated once is there. */
const WARM_UP = 400;
const BATCHES = 6;
const REQUESTS_IN_A_BATCH = 30;

async function measure(names: readonly string[]): Promise<Record<string, number>> {
  const keywright = await startKeywright();
  const config = { login_attempts_limit: 10_000 };
  const tenant = await keywright.tenant('allocations', { config });
  const scene = { tenant, connection: new OneConnection(keywright.url) };
  await tenant.login(PERSON.identifier, PERSON.secret, { extra: { register: true } });
  const found: Record<string, number> = {};
  for (const name of names) found[name] = await allocatedKib(scene, name);
  scene.connection.close();
  await keywright.close();
  return found;
}

/** Of several batches the one that allocated least: the service does other things now and then. */
async function allocatedKib(scene: Scene, name: string): Promise<number> {
  const requests = (await ROUTES[name]?.(scene)) ?? assert.fail(name);
  await send(scene, requests, WARM_UP);
  let least = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const before = getHeapStatistics().total_allocated_bytes;
    await send(scene, requests, REQUESTS_IN_A_BATCH);
    const allocated = getHeapStatistics().total_allocated_bytes - before;
    least = Math.min(least, allocated / REQUESTS_IN_A_BATCH);
  }
  return least / 1024;
}

async function send({ connection }: Scene, requests: Requests, count: number): Promise<void> {
  const { next, hear, status = 200 } = requests;
  for (let sent = 0; sent < count; sent += 1) {
    const answer = await connection.ask(await next());
    assert.equal(answer.status, status, answer.text);
    hear?.(answer);
  }
}

process.stdout.write(JSON.stringify(await measure(process.argv.slice(2))));
