import { performance } from 'node:perf_hooks';
import { pathTo, type Route } from '@keywright/contract/route';
import type { RequestOptions } from '@keywright/tests/harness/http';
import { entitled } from '../../tests/isolation/route-requests.ts';
import { presentPath, requestParts } from '../../tests/isolation/examples.ts';
import type { World } from '../../tests/isolation/world.ts';
import { largestOf } from './largest.ts';
import type { BadBody } from './reading.ts';

const WARM_UP = 1;
const ROUNDS = 15;

/** How long a body blocks the service's event loop. */
export interface Delay {
  readonly status: number;
  readonly ms: number;
}

/** Of a rejected body. */
export async function delayOfBad(
  world: World,
  route: Route,
  { bytes, contentType }: BadBody,
): Promise<Delay> {
  return lowest(world, route, async () => ({ rawBody: bytes, contentType }));
}

/** The delay caused by about the largest accepted body. */
export async function delayOfLargest(world: World, route: Route): Promise<Delay> {
  return lowest(world, route, async () => {
    const { body } = await requestParts(route, world.local);
    const whole = { ...body, ...largestOf(route, world) };
    return { rawBody: Buffer.from(JSON.stringify(whole)) };
  });
}

/** The minimum of several requests, which is least affected by other work on the machine. */
async function lowest(
  world: World,
  route: Route,
  make: () => Promise<RequestOptions>,
): Promise<Delay> {
  const caller = await entitled(world, route);
  const path = pathTo(route, presentPath(route, world.local));
  const delays: Delay[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const options = { tenant: world.local.tenant.id, ...caller, ...(await make()) };
    const delay = await watch(() => world.keywright.request(route.method, path, options));
    if (round >= 0) delays.push(delay);
  }
  return delays.toSorted((delay, other) => delay.ms - other.ms)[0] ?? { status: 0, ms: 0 };
}

/**
 * The longest turn of the event loop during a request; includes the client's work. Wall-clock time, because the CPU
 * time of a thread is updated only every few milliseconds.
 */
async function watch(send: () => Promise<{ readonly status: number }>): Promise<Delay> {
  let longest = 0;
  let isOver = false;
  let last = performance.now();
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const { status } = await send();
  isOver = true;
  return { status, ms: longest };
}
