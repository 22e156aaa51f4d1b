// Measures the routes in its argument, a JSON object with the sufficient KiB of each, and prints the KiB that a
// request of each allocates as JSON. A separate process, because the test runner tracks promises, which allocates
// more than some of the requests.

import assert from 'node:assert/strict';
import { getHeapStatistics } from 'node:v8';
import { startKeywright } from '../harness/keywright.ts';
import { PersistentConnection } from './exchange.ts';
import { DIRECT_ROUTES, PERSON, type Requests, type Scene } from './routes.ts';

/** By then hot functions are compiled, and one-time allocations are done. */
const WARM_UP = 400;
const BATCHES = 6;
/** A busy machine compiles later. */
const MOST_BATCHES = 60;
const REQUESTS_IN_A_BATCH = 30;

type Kib = Readonly<Record<string, number>>;

async function measure(enough: Kib): Promise<Kib> {
  const keywright = await startKeywright({ passwords: 'real' });
  const config = { login_attempts_limit: 10_000 };
  const tenant = await keywright.tenant('allocations', { config });
  const issuer = `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`;
  const scene: Scene = {
    tenant,
    issuer,
    connection: new PersistentConnection(keywright.url),
    query: (...args) => keywright.database.query(...args),
  };
  await tenant.login(PERSON.identifier, PERSON.secret, { extra: { register: true } });
  const found: Record<string, number> = {};
  for (const [name, kib] of Object.entries(enough)) {
    found[name] = await allocatedKib(scene, name, kib);
  }
  scene.connection.close();
  await keywright.close();
  return found;
}

/** The minimum of several batches: the service does background work now and then. */
async function allocatedKib(scene: Scene, name: string, enough: number): Promise<number> {
  const requests = (await DIRECT_ROUTES[name]?.(scene)) ?? assert.fail(name);
  await send(scene, requests, WARM_UP);
  let least = Number.POSITIVE_INFINITY;
  const isDone = (batches: number) => batches >= (least / 1024 < enough ? BATCHES : MOST_BATCHES);
  for (let batch = 0; !isDone(batch); batch += 1) {
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
    const answer = await connection.request(await next());
    assert.equal(answer.status, status, answer.text);
    hear?.(answer);
  }
}

const enough = JSON.parse(process.argv[2] ?? '{}') as Kib;
process.stdout.write(JSON.stringify(await measure(enough)));
