import { bodyLimitOf, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { createWorld, type World } from '../tests/isolation/world.ts';
import { shareServer } from '@keywright/tests/harness/database';
import { type BadBody, worstBodiesOf } from './bodies/reading.ts';
import { delayOfBad, delayOfLargest } from './bodies/serving.ts';

/**
 * `node bench/worst-bodies.ts`, run by hand: for how long the worst body that each route reads holds the event loop, in
 * milliseconds. `read`: reading and checking alone, the CPU time of 30 times, divided. `refused` and `taken`: the longest
 * turn of the event loop of a service that is asked, for that body and for the largest one that the route takes; the
 * lowest of fifteen requests, by the clock.
 */
const BAR_MS = 10;

function columns(route: Route, values: readonly string[], shape: string): string {
  const limit = `${bodyLimitOf(route) / 1024} KiB`;
  return `${route.id.padEnd(24)} ${limit.padStart(8)} ${values.map((one) => one.padStart(9)).join(' ')}  ${shape}`;
}

/** @returns the longest that it holds the loop */
async function measure(world: World, route: Route, bodies: readonly BadBody[]): Promise<number> {
  const [worst] = bodies;
  if (!worst) return 0;
  const refused = await delayOfBad(world, route, worst);
  const taken = await delayOfLargest(world, route);
  const values = [worst.ms, refused.ms, taken.ms].map((ms) => ms.toFixed(1));
  const statuses = `${refused.status}/${taken.status}`;
  console.log(columns(route, [...values, statuses], worst.shape));
  return Math.max(worst.ms, refused.ms, taken.ms);
}

const routes = ROUTES.filter((route) => route.body);
// Before the service runs, which would be in the way.
const bodies = routes.map(worstBodiesOf);
const end = await shareServer();
const world = await createWorld();
const above: string[] = [];
console.log(
  `${'route'.padEnd(24)}    limit      read   refused     taken    status  worst to read`,
);
for (const [index, route] of routes.entries()) {
  const longest = await measure(world, route, bodies[index] ?? []);
  if (longest > BAR_MS) above.push(route.id);
}
await world.close();
await end();
console.log(
  above.length > 0 ? `above ${BAR_MS} ms: ${above.join(', ')}` : `none above ${BAR_MS} ms`,
);
process.exitCode = above.length > 0 ? 1 : 0;
