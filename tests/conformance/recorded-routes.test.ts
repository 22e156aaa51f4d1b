// Every route of the contract that changes something, and its audit entries and events. Generated from the contract, so
// new routes are included automatically.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { needsAdministrator, type Route, scopeOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { type Answer, type JsonBody, expectStatus, type RequestOptions } from '../harness/http.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { delegate, exchange } from '../harness/delegation.ts';
import { claimsOf, sessionOf } from '../harness/token.ts';
import {
  sendExample,
  sendFreshExample,
  entitled,
  nameOf,
  routesOf,
} from '../isolation/route-requests.ts';
import { startWorld, type World } from '../isolation/world.ts';
import { markedSecrets } from './marked-secrets.ts';
import { changesSomething, RECORDED, NOT_AUDITED, TELLING_BODIES } from './recorded-routes.ts';

/** A row of audit_entries. */
interface Entry {
  readonly tenant_id: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly on_behalf_of: string | null;
  readonly credential: string | null;
  readonly action: string;
  readonly target_kind: string;
  readonly target_id: string | null;
  readonly outcome: string;
  readonly address: string | null;
  readonly details: JsonBody;
}

/** A request, and everything that it and its response named. */
interface Exchange {
  readonly answer: Answer<JsonBody>;
  readonly named: string;
}

const CHANGING = ROUTES.filter(changesSomething);
/** The parts of tokens that contain claims: of JWTs, and of opaque refresh tokens. */
const CLAIMS = /eyJ[\w-]+\.([\w-]+)\.[\w-]+|rft_([\w-]+)/g;
const OPAQUE_MAC = /^rft_([\w-]{42})/;

/** Strings that must not be in any row. */
const secrets = new Set<string>();
let world: World;
let named = '';

before(async () => {
  const plain = await startWorld();
  world = {
    ...plain,
    request: async (method: string, path: string, options?: RequestOptions) => {
      const answer = await plain.request(method, path, options);
      takeDown(method, path, options ?? {}, answer);
      return answer;
    },
  };
});

after(() => world.close());

/** Keeps the secrets of a request, and the records that it named. */
function takeDown(
  method: string,
  path: string,
  { body, token = '' }: RequestOptions,
  answer: Answer<JsonBody>,
): void {
  const said = JSON.stringify([decodeURIComponent(path), body, token, answer.text]);
  const claims = [...said.matchAll(CLAIMS)].map(([, payload, opaque = '']) =>
    Buffer.from(payload ?? opaque, 'base64url').toString(),
  );
  named = [said, ...claims].join('\n');
  const route = ROUTES.find((candidate) => candidate.method === method && matches(candidate, path));
  const found = [
    ...markedSecrets(route?.body, body),
    ...markedSecrets(route?.ok.body, answer.body),
  ];
  for (const secret of [token, ...found].filter((text) => text !== '' && !/^\*+$/.test(text))) {
    secrets.add(secret);
    // Only the signature or the MAC: without it, the rest of a token is useless.
    if (secret.startsWith('eyJ')) secrets.add(secret.slice(secret.lastIndexOf('.') + 1));
    const mac = OPAQUE_MAC.exec(secret)?.[1];
    if (mac) secrets.add(mac);
  }
}

function matches({ path }: Route, requestPath: string): boolean {
  const form = path.replaceAll(/:[a-z_]+/g, '[^/]+').replaceAll('.', '\\.');
  return new RegExp(`^${form}$`).test(requestPath.split('?', 1)[0] ?? '');
}

/** Sends a request that succeeds. */
async function grant(route: Route, options: RequestOptions): Promise<Exchange> {
  const body = options.body ?? (await TELLING_BODIES[route.id]?.(world.local, world));
  const answer = await sendFreshExample(world, route, { ...options, ...(body && { body }) });
  assert.equal(answer.status, route.ok.status, `${route.id}: ${answer.text}`);
  return { answer, named };
}

/** The rows that one request left, in any tenant. */
async function entriesOf({ answer }: Exchange): Promise<Entry[]> {
  await world.keywright.nodes[0]?.notes.flush();
  return world.keywright.database.query<Entry & Record<string, unknown>>(
    'SELECT * FROM audit_entries WHERE request_id = $1 ORDER BY id',
    [answer.headers['x-request-id']],
  );
}

/** The entry of a request for its route's main action. */
async function entryOf(route: Route, granted: Exchange): Promise<Entry> {
  const entries = await entriesOf(granted);
  const entry = entries.find((candidate) => candidate.action === RECORDED[route.id]);
  const description = `${route.id} left ${JSON.stringify(entries.map((recorded) => recorded.action))}`;
  assert.ok(entry, `${description}: see RECORDED in tests/conformance/recorded-routes.ts`);
  return entry;
}

function whoOf({ actor_kind: kind, actor_id: id, on_behalf_of: principal, credential }: Entry) {
  return { kind, id, principal, credential };
}

/** The actor in the entry of a granted request. */
function expectedActor(route: Route, token: string, { body }: Answer<JsonBody>) {
  const { sub: id, sid } = claimsOf(token);
  if (/^(apikeys\.report|messaging\.feedback|identifiers\.undo)/.test(route.id)) {
    return { kind: 'anonymous', id: null, principal: null, credential: null };
  }
  if (route.id.startsWith('signals.')) {
    return { kind: 'app', id, principal: null, credential: null };
  }
  if (RECORDED[route.id] === 'auth.login') {
    const loginClaims = claimsOf(String(body['access_token']));
    return { kind: 'user', id: loginClaims.sub, principal: null, credential: loginClaims.sid };
  }
  const isAway = route.access === 'system' && route.id !== 'tenants.delete';
  return { kind: isAway ? 'impersonator' : 'user', id, principal: null, credential: sid };
}

describe('the audit log records', () => {
  test('Every route that changes something is recorded in the audit log, or has a reason not to be', () => {
    for (const route of ROUTES.filter((candidate) => candidate.method !== 'GET')) {
      const isRecorded = route.id in RECORDED;
      assert.notEqual(
        isRecorded,
        route.id in NOT_AUDITED,
        `${route.id} is in one of the two lists`,
      );
    }
    for (const id of [...Object.keys(RECORDED), ...Object.keys(NOT_AUDITED)]) {
      assert.ok(
        ROUTES.some((route) => route.id === id),
        `${id} is a route`,
      );
    }
  });

  for (const route of CHANGING) {
    test(`${nameOf(route)}: who, what, on what, from where, in which request`, async () => {
      const asker = await entitled(world, route);
      const granted = await grant(route, asker);
      const entry = await entryOf(route, granted);
      assert.deepEqual([entry.outcome, entry.address], ['success', '127.0.0.1']);
      assert.ok(entry.target_kind !== '' && entry.target_id !== null);
      // The reporter of a key does not learn its owner, nor does the caller that undoes a change learn the ID of its
      // user. The session of a revoked token is in the token.
      const isByApplication = route.id.startsWith('oauth.revoke');
      const isUntold = isByApplication || ['apikeys.report', 'identifiers.undo'].includes(route.id);
      const isNamed = isUntold || granted.named.includes(entry.target_id);
      assert.ok(isNamed, `${entry.target_id} was named`);
      if (route.id === 'auth.token' || route.id === 'auth.token_by_issuer') {
        assert.equal(entry.actor_kind, 'agent');
        assert.ok(granted.named.includes(entry.actor_id ?? '?') && entry.credential);
        return;
      }
      if (isByApplication) {
        assert.equal(entry.actor_kind, 'app');
        assert.ok(granted.named.includes(entry.actor_id ?? '?') && entry.on_behalf_of);
        return;
      }
      assert.deepEqual(whoOf(entry), expectedActor(route, asker.token ?? '', granted.answer));
    });
  }
});

const BY_AGENTS = CHANGING.filter(
  (route) => scopeOf(route) !== undefined && !needsAdministrator(route),
);

/** Bodies for machines, where the usual body is for administrators. */
const bodyOfMachine = ({ id }: Route) =>
  id === 'tenants.update' ? { body: { name: newIdentifier().replace(/@.*/, '') } } : {};

describe('an entry names', () => {
  test('An audit entry names the agent and its API key, on every route that accepts agents', async () => {
    const { robot } = world.local;
    for (const route of BY_AGENTS) {
      const options = { token: robot.key, ...bodyOfMachine(route) };
      const entry = await entryOf(route, await grant(route, options));
      const expected = {
        kind: 'agent',
        id: robot.agent.id,
        principal: null,
        credential: robot.record.id,
      };
      assert.deepEqual(whoOf(entry), expected, route.id);
    }
    assert.ok(BY_AGENTS.length > 10);
  });

  test('An audit entry names the agent, and the user for whom it acts, on every route that accepts delegates', async () => {
    const { robot, admin, tenant } = world.local;
    const fresh = { ...admin, token: await world.freshAdminToken() };
    const { id } = await delegate(tenant, fresh, robot, ['*:*']);
    const { access_token: token } = expectStatus(200, await exchange(tenant, robot, fresh.token));
    for (const route of BY_AGENTS) {
      const entry = await entryOf(route, await grant(route, { token, ...bodyOfMachine(route) }));
      const pair = {
        kind: 'delegate',
        id: robot.agent.id,
        principal: admin.user.id,
        credential: id,
      };
      assert.deepEqual(whoOf(entry), pair, route.id);
    }
  });

  test('An audit entry names an impersonating system administrator, on every route that allows it', async () => {
    const token = world.impersonationToken;
    const { sub: id, sid } = claimsOf(token);
    for (const route of CHANGING.filter((candidate) => scopeOf(candidate) !== undefined)) {
      const entry = await entryOf(route, await grant(route, { token }));
      const impersonator = { kind: 'impersonator', id, principal: null, credential: sid };
      assert.deepEqual(whoOf(entry), impersonator, route.id);
      assert.equal(entry.tenant_id, world.local.tenant.id);
    }
  });
});

/** Authenticated but denied callers: each with the routes that reject them, and the code. */
const DENIED = [
  { who: 'a user without scopes', routes: routesOf('scope'), code: 'SCOPE_REQUIRED' },
  {
    who: 'a machine',
    routes: ROUTES.filter((route) => needsAdministrator(route)),
    code: 'ADMINISTRATOR_REQUIRED',
  },
  {
    who: 'an administrator',
    routes: routesOf('system'),
    code: 'SYSTEM_ADMINISTRATOR_REQUIRED',
  },
] as const;

for (const { who, routes, code } of DENIED) {
  test(`Each denial to ${who} is recorded, with the route and the code`, async () => {
    const { member, robot } = world.local;
    const admin = await world.freshAdminToken();
    const token = { SCOPE_REQUIRED: member.token, ADMINISTRATOR_REQUIRED: robot.key }[
      code as string
    ];
    for (const route of routes) {
      const answer = await sendExample(world, route, { token: token ?? admin });
      assert.deepEqual([answer.status, answer.body['code']], [403, code], route.id);
      const entries = await entriesOf({ answer, named });
      assert.equal(entries.length, 1, `${route.id}: ${entries.length}`);
      const [entry] = entries as [Entry];
      const recorded = [entry.action, entry.outcome, entry.target_id, entry.details['code']];
      assert.deepEqual(recorded, ['auth.denied', 'denied', route.id, code]);
      const credential = token === robot.key ? robot.record.id : sessionOf(token ?? admin);
      assert.equal(entry.credential, credential, route.id);
      assert.equal(entry.address, '127.0.0.1');
    }
    assert.ok(routes.length > 3);
  });
}

test('No secret of the requests to recorded routes is in a row of the audit log, the events or the deliveries', async () => {
  const { local, keywright } = world;
  const { identifier } = local.member;
  for (const secret of [newPassword(), local.member.password]) {
    const options = { tenant: local.tenant.id, body: { identifier, secret } };
    await world.request('POST', '/api/sso/v1/auth/login', options);
  }
  for (const secret of [local.admin.password, local.robot.key, local.admin.refreshToken]) {
    secrets.add(secret);
  }
  assert.ok(secrets.size > 100, `${secrets.size} secrets`);
  for (const route of [
    'users.create',
    'webhooks.create',
    'apikeys.create',
    'auth.token',
  ] as const) {
    assert.ok(route in RECORDED);
  }
  await keywright.nodes[0]?.notes.flush();
  await keywright.nodes[0]?.sealing.sweep();
  for (const table of TABLES) {
    const rows = await keywright.database.query<{ text: string }>(
      `SELECT to_jsonb(t)::text AS text FROM ${table} t`,
    );
    assert.ok(rows.length > 0, table);
    const all = rows.map((row) => row.text).join('\n');
    const found = [...secrets].filter((secret) => isIn(all, secret));
    assert.deepEqual(found, [], table);
  }
});

/** The digits of a code also occur by chance within ids and hashes. */
function isIn(text: string, secret: string): boolean {
  if (!/^\d{6,10}$/.test(secret)) return text.includes(secret);
  return new RegExp(`(?<![0-9A-Za-z])${secret}(?![0-9A-Za-z])`).test(text);
}

const TABLES = [
  'audit_entries',
  'audit_chain',
  'audit_checkpoints',
  'events',
  'webhook_deliveries',
];
