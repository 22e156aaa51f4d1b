// What a client without an account can make the service store.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { CALLBACK, newClient, requestOf } from '../harness/code-login.ts';
import { stateOf } from '../conformance/database-state.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { pooled } from '../harness/parallel.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { Visitor } from '../harness/visitor.ts';

const BASE_URL = 'https://id.example.com';
const REQUESTS = 200;
const WIDTH = 4;
/** The number of flows that one address can start in a minute. */
const MOST_FLOWS = 30;
const DAY_SECONDS = 86_400;

let keywright: Keywright;
let tenant: TestTenant;
let issuer: string;
let clientId: string;

before(async () => {
  const env = { KEYWRIGHT_BASE_URL: BASE_URL };
  keywright = await startKeywright({ clock: 'fake', env });
  tenant = await keywright.tenant('visited');
  issuer = `${BASE_URL}/t/${tenant.id}`;
  clientId = (await newClient(tenant)).id;
});

after(() => keywright.close());

const noise = (bytes: number) => randomBytes(bytes).toString('base64url');

/** A mostly valid authorization request. */
function randomRequest(random: Random): Record<string, string> {
  const usual: Record<string, string> = { ...requestOf({ id: clientId }), state: noise(8) };
  const names = [...Object.keys(usual), 'prompt', 'login_hint', 'resource', 'id_token_hint'];
  const name = names[random.between(0, names.length)] ?? '';
  return random.between(0, 2) === 0 ? usual : { ...usual, [name]: noise(24) };
}

/** Visits the pages in one browser, with a forged value for each cookie of the service. */
async function browseAtRandom(random: Random): Promise<number> {
  const browser = new Visitor(tenant, issuer);
  for (const name of ['session', 'flow', 'device', 'form']) {
    browser.keep(`__Host-kw_${name}_${noise(6)}`, noise(32));
  }
  const seen = await browser.authorize(randomRequest(random));
  if (!seen.actions.includes('login')) return seen.status;
  for (const [name] of browser.cookies) browser.keep(name, noise(32));
  const path = new URL(issuer).pathname;
  const request = `request=${noise(200)}`;
  const pages = [`${path}/oauth/continue?${request}`, `${path}/oauth/logout?state=${noise(9)}`];
  const { status } = await browser.open(pages[random.between(0, pages.length)] ?? path);
  await browser.post(seen.postsTo || path, {
    ...seen.hidden,
    request: noise(200),
    action: 'login',
  });
  return status;
}

test('Requests for codes, pages and forms with any parameters and cookies leave no row, and none is answered with a 5xx', async () => {
  const random = seededRandom();
  const untouched = await stateOf(keywright.database);
  const statuses = await pooled(WIDTH, Array.from({ length: REQUESTS }), () =>
    browseAtRandom(random),
  );
  assert.deepEqual(
    statuses.filter((status) => status >= 500),
    [],
    `KEYWRIGHT_TEST_SEED=${random.seed}`,
  );
  for (const status of [200, 303, 400]) assert.ok(statuses.includes(status), `${status}`);
  assert.deepEqual(await stateOf(keywright.database), untouched);
});

const COUNT_FLOWS = 'SELECT count(*)::integer AS kept FROM login_flows WHERE tenant_id = $1';

test('Logins of unknown users leave as many flows as an address is allowed to start, until a day after these have expired', async () => {
  await pooled(WIDTH, Array.from({ length: 3 * MOST_FLOWS }), async () => {
    const browser = new Visitor(tenant, issuer);
    await browser.authorize(requestOf({ id: clientId }));
    await browser.press('login', { identifier: newIdentifier(), secret: newPassword() });
    assert.ok(browser.seen.status < 500);
    assert.notEqual(browser.seen.redirectsTo?.href.startsWith(CALLBACK), true);
  });
  const count = async () => {
    const [row] = await keywright.database.query<{ kept: number }>(COUNT_FLOWS, [tenant.id]);
    return row?.kept;
  };
  assert.equal(await count(), MOST_FLOWS);
  keywright.clock.advance(DAY_SECONDS + 16 * 60);
  await keywright.nodes[0]?.housekeeping.sweep();
  assert.equal(await count(), 0);
  const [attempts] = await keywright.database.query<{ kept: number }>(
    'SELECT count(*)::integer AS kept FROM login_attempts WHERE tenant_id = $1',
    [tenant.id],
  );
  assert.equal(attempts?.kept, 0);
});
