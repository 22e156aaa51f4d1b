import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newPassword } from '../harness/credentials.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { type Answered, type Asked, OneConnection } from './exchange.ts';
import { type Meter, startMeter } from './meter.ts';
import { COSTS, type RouteCost } from './written-down.ts';

const API = '/api/sso/v1';
const KEY_SET = '/.well-known/jwks.json';
/** Statements are prepared and caches filled by then. */
const WARM_UP = 3;
/** Made once for many requests, the more the more there are: up to 1,024 tokens. */
const SELDOM = ['kw_take_status_range'];
const MEASURED = 5;
const FIRST_STATUS_INDEX = 100_000;

let keywright: Keywright;
let tenant: TestTenant;
let connection: OneConnection;
let meter: Meter;
const person = { identifier: 'person@example.com', secret: newPassword() };

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('costs', { config: { login_attempts_limit: 10_000 } });
  // So many tokens were issued already that a few more don't take another digit.
  await keywright.database.query(
    'INSERT INTO status_ranges (tenant_id, next_idx) VALUES ($1, $2)',
    [tenant.id, FIRST_STATUS_INDEX],
  );
  connection = new OneConnection(keywright.url);
  meter = startMeter(keywright);
  await tenant.login(person.identifier, person.secret, { extra: { register: true } });
});

after(async () => {
  meter.stop();
  connection.close();
  await keywright.close();
});

function asking(method: string, path: string, token?: string, body?: object): Asked {
  const headers: Record<string, string> = { 'x-tenant-id': tenant.id };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (body === undefined) return { method, path, headers };
  const text = JSON.stringify(body);
  headers['content-type'] = 'application/json';
  headers['content-length'] = String(Buffer.byteLength(text));
  return { method, path, headers, body: text };
}

/** Asks again and again, one after the other: each time it has to cost the same. */
async function costOf(
  next: () => Promise<Asked> | Asked,
  hear: (answer: Answered) => void = () => undefined,
  status = 200,
): Promise<RouteCost> {
  const costs: RouteCost[] = [];
  for (let turn = 0; costs.length < MEASURED; turn += 1) {
    const asked = await next();
    const { answer, ...cost } = await meter.measure(() => connection.ask(asked));
    assert.equal(answer.status, status, answer.text);
    hear(answer);
    const isUsual = !cost.statements.some((one) => SELDOM.includes(one));
    if (turn >= WARM_UP && isUsual) costs.push({ ...cost, bytes: answer.bytes });
  }
  for (const cost of costs) assert.deepEqual(cost, costs[0]);
  return costs[0] as RouteCost;
}

async function logIn(): Promise<TokenAnswer> {
  return tenant.login(person.identifier, person.secret);
}

/** The requests of each route, by its name in the table. */
const ROUTES: Readonly<Record<string, () => Promise<RouteCost>>> = {
  login: () => costOf(() => asking('POST', `${API}/auth/login`, undefined, person)),

  async refresh() {
    let refreshToken = (await logIn()).refresh_token;
    return costOf(
      () => asking('POST', `${API}/auth/refresh`, undefined, { refresh_token: refreshToken }),
      (answer) => {
        refreshToken = (JSON.parse(answer.text) as TokenAnswer).refresh_token;
      },
    );
  },

  async 'me, with a token'() {
    const { access_token: token } = await logIn();
    return costOf(() => asking('GET', `${API}/me`, token));
  },

  async 'me, with a token never seen'() {
    return costOf(async () => asking('GET', `${API}/me`, (await logIn()).access_token));
  },

  async 'me, with an API key'() {
    const { key } = await tenant.createAgent();
    return costOf(() => asking('GET', `${API}/me`, key));
  },

  async 'verify-token, seen before'() {
    const { access_token: caller } = await logIn();
    const { access_token: token } = await logIn();
    return costOf(() => asking('POST', `${API}/auth/verify-token`, caller, { token }));
  },

  async 'verify-token, never seen'() {
    const { access_token: caller } = await logIn();
    return costOf(async () => {
      const { access_token: token } = await logIn();
      return asking('POST', `${API}/auth/verify-token`, caller, { token });
    });
  },

  async 'verify-token, about an API key'() {
    const { access_token: caller } = await logIn();
    const { key: token } = await tenant.createAgent();
    return costOf(() => asking('POST', `${API}/auth/verify-token`, caller, { token }));
  },

  async 'client credentials'() {
    const { agent, key } = await tenant.createAgent({ scopes: ['read:users'] });
    const body = { grant_type: 'client_credentials', client_id: agent.id, client_secret: key };
    return costOf(() => asking('POST', `${API}/auth/token`, undefined, body));
  },

  'key set': () => costOf(() => asking('GET', KEY_SET)),

  async 'key set, unchanged'() {
    const { etag = '' } = await connection.ask(asking('GET', KEY_SET));
    const { headers, ...rest } = asking('GET', KEY_SET);
    return costOf(
      () => ({ ...rest, headers: { ...headers, 'if-none-match': etag } }),
      undefined,
      304,
    );
  },

  logout: () =>
    costOf(async () => asking('POST', `${API}/auth/logout`, (await logIn()).access_token)),

  async authorize() {
    const { access_token: caller } = await logIn();
    const { access_token: token } = await logIn();
    const body = { token, scope: 'read:users', workspace_id: 'ws_default' };
    return costOf(() => asking('POST', `${API}/authorize`, caller, body));
  },

  async 'authorize, 100 at once'() {
    const { access_token: caller } = await logIn();
    const { access_token: token } = await logIn();
    const check = { token, scope: 'read:users', workspace_id: 'ws_default' };
    const body = { checks: Array.from({ length: 100 }, () => check) };
    return costOf(() => asking('POST', `${API}/authorize`, caller, body));
  },

  async 'users, first page'() {
    const token = await tenant.adminToken();
    return costOf(() => asking('GET', `${API}/users`, token));
  },
};

describe('what a request costs, in counts', () => {
  for (const [name, measure] of Object.entries(ROUTES)) {
    test(`${name}: no statement, wait, signature or byte beside those written down`, async () => {
      assert.deepEqual(await measure(), COSTS[name]);
    });
  }

  test('of every route that is called often is written down', () => {
    assert.deepEqual(Object.keys(COSTS).toSorted(), Object.keys(ROUTES).toSorted());
  });
});
