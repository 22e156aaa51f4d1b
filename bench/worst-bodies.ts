import { bodyLimitOf, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { startWorld, type World } from '../tests/isolation/world.ts';
import { shareServer } from '@keywright/tests/harness/database';
import { type BadBody, worstBodiesOf } from './bodies/reading.ts';
import { delayOfBad, delayOfLargest } from './bodies/serving.ts';

/**
 * `node bench/worst-bodies.ts`: how long the worst body of each route blocks the event loop, in milliseconds. `read`: CPU
 * time of reading and validating, mean of 30 times. `rejected` and `accepted`: the longest turn of a service's event loop
 * for that body and for the largest accepted one, wall-clock time, minimum of fifteen requests.
 */
const BAR_MS = 10;

function columns(route: Route, values: readonly string[], shape: string): string {
  const limit = `${bodyLimitOf(route) / 1024} KiB`;
  return `${route.id.padEnd(24)} ${limit.padStart(8)} ${values.map((value) => value.padStart(9)).join(' ')}  ${shape}`;
}

/** @returns the longest time that a body blocks the event loop */
async function measure(world: World, route: Route, bodies: readonly BadBody[]): Promise<number> {
  const [worst] = bodies;
  if (!worst) return 0;
  const rejected = await delayOfBad(world, route, worst);
  const accepted = await delayOfLargest(world, route);
  const values = [worst.ms, rejected.ms, accepted.ms].map((ms) => ms.toFixed(1));
  const statuses = `${rejected.status}/${accepted.status}`;
  console.log(columns(route, [...values, statuses], worst.shape));
  return Math.max(worst.ms, rejected.ms, accepted.ms);
}

const routes = ROUTES.filter((route) => route.body);
// Computed before the service starts, because the computation would disturb it.
const bodies = routes.map(worstBodiesOf);
const end = await shareServer();
const world = await startWorld();
const above: string[] = [];
console.log(
  `${'route'.padEnd(24)}    limit      read  rejected  accepted    status  worst to read`,
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
