import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { PersistentConnection } from './exchange.ts';
import { GREETING, type Meter, startMeter } from './meter.ts';
import { APPLICATION_ROUTES } from './application-routes.ts';
import { DIRECT_ROUTES, PERSON, type Requests, type Scene } from './routes.ts';
import { COSTS, type RouteCost } from './written-down.ts';

const ROUTES = { ...DIRECT_ROUTES, ...APPLICATION_ROUTES };
/** By then, statements are prepared and caches are filled. */
const WARM_UP = 3;
/**
 * Statements that run once for many requests (up to 1,024 tokens), shortly after a change of the tenant, once a
 * minute for each user who logs in, or on a new connection.
 */
const SELDOM = ['kw_take_status_range', 'kw_load_tenant_and_providers', 'kw_touch_login', GREETING];
const MEASURED = 5;
const FIRST_STATUS_INDEX = 100_000;

let keywright: Keywright;
let scene: Scene;
let meter: Meter;

before(async () => {
  keywright = await startKeywright({ passwords: 'real' });
  const tenant = await keywright.tenant('costs', { config: { login_attempts_limit: 10_000 } });
  // Enough tokens were issued that a few more do not add a digit.
  await keywright.database.query(
    'INSERT INTO status_ranges (tenant_id, next_idx) VALUES ($1, $2)',
    [tenant.id, FIRST_STATUS_INDEX],
  );
  const issuer = `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`;
  scene = {
    tenant,
    issuer,
    connection: new PersistentConnection(keywright.url),
    query: (...args) => keywright.database.query(...args),
  };
  meter = startMeter(keywright);
  await tenant.login(PERSON.identifier, PERSON.secret, { extra: { register: true } });
});

after(async () => {
  meter.stop();
  scene.connection.close();
  await keywright.close();
});

/** Sends sequential requests, each of which must have the same cost. */
async function costOf({ next, hear, status = 200 }: Requests): Promise<RouteCost> {
  const costs: RouteCost[] = [];
  for (let turn = 0; costs.length < MEASURED; turn += 1) {
    const request = await next();
    const { answer, ...cost } = await meter.measure(() => scene.connection.request(request));
    assert.equal(answer.status, status, answer.text);
    hear?.(answer);
    const isUsual = !cost.statements.some((statement) =>
      SELDOM.some((seldom) => statement.includes(seldom)),
    );
    if (turn >= WARM_UP && isUsual) costs.push({ ...cost, bytes: answer.bytes });
  }
  for (const cost of costs) assert.deepEqual(cost, costs[0]);
  return costs[0] as RouteCost;
}

describe('the counted cost of a request', () => {
  for (const [name, prepare] of Object.entries(ROUTES)) {
    test(`${name}: exactly the recorded statements, waits, signatures and bytes`, async () => {
      assert.deepEqual(await costOf(await prepare(scene)), COSTS[name]);
    });
  }

  test('The cost of a request is recorded for every frequent route', () => {
    assert.deepEqual(Object.keys(COSTS).toSorted(), Object.keys(ROUTES).toSorted());
  });
});
