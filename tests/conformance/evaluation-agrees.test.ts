// The decisions of POST /access/v1/evaluations equal those of the routes: for random scopes, at every route with a
// scope in the contract.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { Decision } from '@keywright/contract/records/decision';
import { type Route, scopeOf, scopesToEnter } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { ACTIONS, RESOURCES } from '@keywright/contract/scopes';
import { evaluationOf } from '../harness/evaluation.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';

const MOST_AT_ONCE = 100;
const SETS = 12;
const MOST_SCOPES = 5;
/** Further scopes that a route requires, according to its description. */
const ALSO: Readonly<Record<string, string>> = { 'users.permissions': 'read:roles' };
const SCOPED = ROUTES.filter((route) => scopeOf(route) !== undefined);

let keywright: Keywright;
let tenant: TestTenant;
let random: Random;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('agreeing');
  random = seededRandom();
});

after(() => keywright.close());

function drawScopes(): string[] {
  const scopes = Array.from({ length: random.between(0, MOST_SCOPES + 1) }, () => {
    const action = ACTIONS[random.between(0, ACTIONS.length)];
    return `${action}:${RESOURCES[random.between(0, RESOURCES.length)]}`;
  });
  return [...new Set(scopes)];
}

/** Whether the route authorizes the token. The request names only unknown records, so it has no effect. */
async function admits(route: Route, token: string): Promise<boolean> {
  const path = route.path.replaceAll(/:\w+/g, 'nothing');
  const body = route.body ? { body: { unheard_of: true } } : {};
  const options = { token, ...body };
  const answer = await tenant.request<ErrorBody>(route.method, path, options);
  assert.notEqual(answer.status, 401, answer.text);
  // The required scope was held, but other users of the tenant hold more.
  return answer.status !== 403 || answer.body.code === 'SCOPE_NOT_HELD';
}

async function allowed(token: string): Promise<boolean[]> {
  const first = await decide(
    SCOPED.map((route) => scopeOf(route) ?? ''),
    token,
  );
  const others = await decide(
    SCOPED.map((route) => scopesToEnter(route).at(-1) ?? ''),
    token,
  );
  const combined = first.map((decision, index) => decision || others[index] === true);
  const also = await decide(
    SCOPED.map((route) => ALSO[route.id] ?? scopeOf(route) ?? ''),
    token,
  );
  return SCOPED.map(
    ({ id }, index) => combined[index] === true && (ALSO[id] === undefined || also[index] === true),
  );
}

async function decide(scopes: readonly string[], token: string): Promise<boolean[]> {
  const all = scopes.map((scope) => evaluationOf({ token, scope }));
  const decisions: boolean[] = [];
  for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
    const evaluations = all.slice(from, from + MOST_AT_ONCE);
    const answer = await tenant.request<{ evaluations: Decision[] }>(
      'POST',
      '/access/v1/evaluations',
      { token, body: { evaluations } },
    );
    decisions.push(
      ...expectStatus(200, answer).evaluations.map((evaluation) => evaluation.decision),
    );
  }
  return decisions;
}

test('A route accepts a token exactly when an evaluation says that the token has the scope', async () => {
  const admin = await tenant.adminToken();
  const seen = { admitted: 0, refused: 0 };
  for (let set = 0; set < SETS; set += 1) {
    const role = { name: `drawn-${set}`, scopes: drawScopes() };
    expectStatus(201, await tenant.request('POST', '/roles', { token: admin, body: role }));
    const { token }: TestUser = await tenant.createUser({ roles: [role.name] });
    const decisions = await allowed(token);
    for (const [index, route] of SCOPED.entries()) {
      const isIn = await admits(route, token);
      seen[isIn ? 'admitted' : 'refused'] += 1;
      const what = `${route.id} with [${role.scopes.join(', ')}], seed ${random.seed}`;
      assert.equal(decisions[index], isIn, what);
    }
  }
  assert.ok(seen.admitted > 0 && seen.refused > 0, JSON.stringify(seen));
});
