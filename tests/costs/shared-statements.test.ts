// Concurrent requests share statements, whichever routes they are for (ADR 46): each kind of work has one batch.

import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, before, describe, test } from 'node:test';
import type { StartedFlow, OfferedFlow } from '@keywright/contract/records/login-flow';
import type { Static } from 'typebox';
import { systemClock } from '@keywright/server/platform/clock';
import { newIdentifier } from '../harness/credentials.ts';
import { newClient, refreshWith, requestOf, UserBrowser } from '../harness/code-login.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough, undoTokenTo } from '../harness/mailed.ts';
import { startSecondStep, proveSecondFactor } from '../harness/second-step.ts';
import { holdStatements, watchStatements } from '../harness/statements.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { enrollTotp } from '../harness/totp.ts';
import { until } from '../harness/until.ts';
import { Visitor } from '../harness/visitor.ts';

const SCOPE = 'openid email offline_access';
const REQUEST_START = 'http.server.request.start';
/** A request that is late on a busy machine adds a statement. */
const ROUNDS = 5;
/** The number of requests answered while the others reach their batch. */
const WHILE = 20;

type Send = () => Promise<unknown>;

interface Sharing {
  readonly statement: string;
  /** The maximum number of these statements in flight. */
  readonly flights: number;
  /** Sends a request that takes one statement. */
  readonly take: Send;
  /** Requests of different routes that need the statement, sent while all of them are under way. */
  readonly share: readonly Send[];
}

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let issuer: string;
let user: TestUser;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ env: mailThrough(sink), passwords: 'real' });
  const config = { login_attempts_limit: 10_000 };
  tenant = await keywright.tenant('sharing', { config });
  issuer = `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`;
  user = await tenant.createUser();
});
after(async () => {
  await keywright.close();
  await sink.close();
});

/** The fewest statements of several rounds: those that `take` takes, and those of all requests that share. */
async function fewestStatements(prepare: () => Promise<Sharing>): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const sharing = await prepare();
    fewest = Math.min(fewest, await statementsOf(sharing));
    if (fewest === sharing.flights + 1) break;
  }
  return fewest;
}

async function statementsOf({ statement, flights, take, share }: Sharing): Promise<number> {
  const statements = watchStatements();
  const hold = holdStatements(statement);
  let started = 0;
  const count = () => {
    started += 1;
  };
  subscribe(REQUEST_START, count);
  try {
    const sent: Promise<unknown>[] = [];
    while (hold.count < flights) {
      const countBefore = hold.count;
      sent.push(take());
      await until('the statement is held', () => hold.count > countBefore);
    }
    const startedBefore = started;
    const hashed = keywright.nodes[0]?.passwords.computed ?? 0;
    sent.push(...share.map((send) => send()));
    await until('the requests are received', () => started >= startedBefore + share.length);
    // A login waits for its hash.
    const hashes = statement === 'kw_finish_logins' ? share.length : 0;
    await until('the passwords are hashed', () => {
      const { computed = 0, load } = keywright.nodes[0]?.passwords ?? {};
      return computed >= hashed + hashes && load?.running === 0;
    });
    for (let answered = 0; answered < WHILE; answered += 1) await keywright.request('GET', '/me');
    hold.release();
    await Promise.all(sent);
    return statements.sent.filter((name) => name === statement).length;
  } finally {
    hold.release();
    statements.stop();
    unsubscribe(REQUEST_START, count);
  }
}

const cookiesOf = ({ cookies }: Visitor) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
});
const succeed = async (answer: Promise<Answer<unknown>>) => expectStatus(200, await answer);

async function startFlow(): Promise<Send> {
  const body = { identifier: user.identifier };
  const answer = await tenant.request<Static<typeof StartedFlow>>('POST', '/auth/flows', { body });
  const { flow, flow_token } = expectStatus(201, answer);
  const proof = { flow_token, secret: user.password };
  return () => succeed(tenant.request('POST', `/auth/flows/${flow.id}/password`, { body: proof }));
}

async function logins(statement: string): Promise<Sharing> {
  const take = () => tenant.login(user.identifier, user.password);
  return { statement, flights: 4, take, share: [take, await startFlow()] };
}

async function refreshes(): Promise<Sharing> {
  const client = await newClient(tenant);
  const browser = new UserBrowser(tenant, issuer, user);
  const { refresh_token: ofClient } = await browser.tokensFor(client, { scope: SCOPE });
  const tokens: string[] = [];
  for (let session = 0; session < 3; session += 1) {
    tokens.push((await tenant.login(user.identifier, user.password)).refresh_token);
  }
  const take = () => {
    const body = { refresh_token: tokens.pop() };
    return succeed(tenant.request('POST', '/auth/refresh', { body }));
  };
  const share = [take, () => succeed(refreshWith(tenant, client, ofClient))];
  return { statement: 'kw_refresh_sessions', flights: 2, take, share };
}

/** The console of a system administrator inside the tenant, alongside requests with tokens. */
async function callers(): Promise<Sharing> {
  const administrator = await keywright.home.createUser({ roles: ['system_admin'] });
  const browser = new Visitor(keywright.home, keywright.nodes[0]?.baseUrl ?? '');
  await browser.open('/t/org_default/console/login');
  const { identifier, password: secret } = administrator;
  await browser.press('login', { identifier, secret });
  const headers = {
    ...cookiesOf(browser),
    'x-keywright-console': '1',
    'sec-fetch-site': 'same-origin',
  };
  const inside = (method: string, path: string, body?: object) =>
    succeed(keywright.request(method, `/console/api${path}`, { headers, ...(body && { body }) }));
  const impersonation = `/t/org_default/impersonations/${tenant.id}`;
  await inside('PUT', impersonation, { reason: 'ticket 4711' });
  const take = () => succeed(tenant.request('GET', '/me', { token: user.token }));
  const share = [take, () => inside('GET', `/in/t/${tenant.id}/users`)];
  return { statement: 'kw_live_grants', flights: 1, take, share };
}

/** A request for a code, the account page and a logout, of a browser each. */
async function browsers() {
  const client = await newClient(tenant);
  const parameters = requestOf(client, { scope: SCOPE });
  const loggedIn = async () => {
    const browser = new UserBrowser(tenant, issuer, user);
    await browser.goThrough(parameters);
    return browser;
  };
  const [first, second, third] = [await loggedIn(), await loggedIn(), await loggedIn()];
  const take = () => first.authorize(parameters);
  const { pathname } = new URL(issuer);
  const share: readonly Send[] = [
    take,
    () => second.open(`${pathname}/account`),
    () => tenant.request('GET', `${pathname}/oauth/logout`, { headers: cookiesOf(third) }),
  ];
  return { statement: 'kw_read_browser_logins', flights: 2, take, share };
}

/** A user with an authenticator, and what undoes the removal of their address. */
async function undoable() {
  const owner = await tenant.createUser();
  await keywright.database.query('UPDATE user_identifiers SET verified = true WHERE user_id = $1', [
    owner.user.id,
  ]);
  const { token, identifier } = owner;
  const next = newIdentifier();
  const options = { token, body: { identifier: next } };
  expectStatus(200, await tenant.request('POST', '/me/identifiers', options));
  const { code } = await mailedTo(sink, next);
  const proven = { token, body: { identifier: next, code } };
  expectStatus(200, await tenant.request('POST', '/me/identifiers/verification', proven));
  await enrollTotp(tenant, token, systemClock);
  return { undo_token: await undoTokenTo(sink, identifier), owner };
}

/** Wrong codes of authenticators: second steps of logins, and one that undoes a change. */
async function codes(): Promise<Sharing> {
  const { owner, undo_token } = await undoable();
  const flows: OfferedFlow[] = [];
  for (let step = 0; step < 3; step += 1) flows.push(await startSecondStep(tenant, owner));
  const code = '000000';
  const take = () => {
    const flow = flows.pop();
    if (!flow) throw new Error('There is no flow left.');
    return proveSecondFactor(tenant, 'totp', flow, code);
  };
  const undo = () =>
    tenant.request('POST', '/auth/identifiers/undo', { body: { undo_token, code } });
  return { statement: 'kw_guess_totps', flights: 2, take, share: [take, undo] };
}

describe('concurrent requests share a statement', () => {
  test('A login and the password of a flow, sent concurrently, count their attempts in one statement', async () => {
    assert.equal(await fewestStatements(() => logins('kw_start_logins')), 5);
  });

  test('A login and the last step of a flow, sent concurrently, open their sessions in one statement', async () => {
    assert.equal(await fewestStatements(() => logins('kw_finish_logins')), 5);
  });

  test('The codes of concurrent logins and of an undo are counted in one statement', async () => {
    assert.equal(await fewestStatements(codes), 3);
  });

  test('Direct refreshes and those of applications, sent concurrently, rotate their tokens in one statement', async () => {
    assert.equal(await fewestStatements(refreshes), 3);
  });

  test('Access tokens and impersonations in the console, used concurrently, are looked up in one statement', async () => {
    assert.equal(await fewestStatements(callers), 2);
  });

  test('Concurrent requests to authorize, the account page and logout look up their logins in one statement', async () => {
    assert.equal(await fewestStatements(browsers), 3);
  });
});
