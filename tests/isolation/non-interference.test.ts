// A request in one tenant gets the same response whatever happened in others, whichever users and addresses they name.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type { MessageRecord } from '@keywright/contract/records/message';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newClient, requestOf } from '../harness/code-login.ts';
import { newPassword } from '../harness/credentials.ts';
import { deviceClient } from '../harness/device.ts';
import { type Answer, expectStatus, type RequestOptions } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

const PERSON = { identifier: 'ada@example.org', secret: newPassword() };
const UNKNOWN_IDENTIFIER = 'no-one@example.org';
const HOME = '203.0.113.5';
/** Headers by which a response conveys information in addition to its body. */
const TELLING = ['retry-after', 'ratelimit', 'ratelimit-policy', 'www-authenticate'];

let sink: MailSink;
let keywright: Keywright;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1', ...mailThrough(sink) },
  });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

let tenants = 0;

function newTenant(): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`t${tenants}`, {
    config: {
      login_attempts_limit: 5,
      registrations_address_limit: 3,
      magic_link_url: 'https://app.example.com/login',
      oauth_registration: 'open',
    },
  });
}

/** Returns a response without its secret, random and time-dependent values, which always differ. */
function seen({ status, headers, text }: Answer<unknown>, { id }: TestTenant): string {
  const body = text
    .replaceAll(id, 'TENANT')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/":1\d{9}\b/g, '":SECONDS')
    .replaceAll(/[\w.-]{21,}/g, 'RANDOM')
    .replaceAll(/"user_code":"[^"]+"/g, 'CODE')
    .replaceAll(/user_code=[\w-]+/g, 'CODE');
  return JSON.stringify([status, TELLING.map((name) => headers[name] ?? null), body]);
}

/** Every kind of request that a client without a credential can send, from one address. */
async function script(tenant: TestTenant, between: () => Promise<void>): Promise<string[]> {
  const client = await newClient(tenant, { kind: 'native', token_endpoint_auth_method: 'none' });
  const device = await deviceClient(tenant);
  const lines: string[] = [];
  const send = async <Body>(method: string, path: string, options: RequestOptions = {}) => {
    const headers = { 'x-forwarded-for': HOME, ...options.headers };
    const answer = await tenant.request<Body>(method, path, { ...options, headers });
    const place = path.replace(tenant.id, 'TENANT').replaceAll(/login_\w+/g, 'FLOW');
    lines.push(`${method} ${place} ${seen(answer, tenant)}`);
    await between();
    return answer;
  };
  const form = (fields: Record<string, string>) => ({
    rawBody: new URLSearchParams(fields).toString(),
    contentType: 'application/x-www-form-urlencoded',
  });
  const logIn = (body: object) => send<TokenAnswer>('POST', '/auth/login', { body });
  const { body: tokens } = await logIn({ ...PERSON, register: true });
  await logIn(PERSON);
  for (let wrong = 0; wrong < 6; wrong += 1) await logIn({ ...PERSON, secret: newPassword() });
  for (let more = 0; more < 3; more += 1) {
    const newcomer = { identifier: `new${more}@example.org`, secret: newPassword() };
    await logIn({ ...newcomer, register: true });
  }
  for (const refresh_token of [tokens.refresh_token, 'x']) {
    await send('POST', '/auth/refresh', { body: { refresh_token } });
  }
  for (const identifier of [PERSON.identifier, UNKNOWN_IDENTIFIER]) {
    for (const purpose of ['login', 'recovery']) {
      const started = await send<StartedFlow>('POST', '/auth/flows', {
        body: { identifier, purpose },
      });
      const { flow, flow_token } = expectStatus(201, started);
      const step = (name: string, body: object = {}) =>
        send('POST', `/auth/flows/${flow.id}/${name}`, { body: { flow_token, ...body } });
      await step('message');
      await step('message');
      await step('code', { code: '00000000' });
      keywright.clock.advance(31);
      await step('message');
      await step('cancel');
    }
  }
  const secret = { grant_type: 'client_credentials', client_id: 'service:x', client_secret: 'x' };
  await send('POST', '/auth/token', form(secret));
  await send('POST', '/oauth/par', form(requestOf(client)));
  const path = `/t/${tenant.id}/oauth/device_authorization`;
  await send('POST', path, form({ client_id: device.id, scope: 'openid' }));
  const redirect_uris = ['https://app.example.com/callback'];
  await send('POST', '/oauth/register', { body: { redirect_uris } });
  await send('POST', '/auth/identifiers/undo', { body: { undo_token: 'und_x' } });
  return lines;
}

/** Sends other users' requests in a tenant: they name the same users, from the same address and from many others. */
async function beBusy(tenant: TestTenant, round: number): Promise<void> {
  const identifier = round % 2 === 0 ? PERSON.identifier : UNKNOWN_IDENTIFIER;
  for (const address of [HOME, `198.51.${round % 250}.1`]) {
    const headers = { 'x-forwarded-for': address };
    const post = <Body>(path: string, body: object) =>
      tenant.request<Body>('POST', path, { headers, body });
    if (round % 5 === 0) await post('/auth/login', { identifier, secret: newPassword() });
    const started = await post<StartedFlow>('/auth/flows', { identifier, register: true });
    if (started.status === 201) {
      const { flow, flow_token } = started.body;
      await post(`/auth/flows/${flow.id}/message`, { flow_token });
      await post(`/auth/flows/${flow.id}/code`, { flow_token, code: '00000000' });
    }
    await post('/auth/refresh', { refresh_token: 'x' });
    await post('/auth/identifiers/undo', { undo_token: 'und_x' });
  }
}

test('The activity in other tenants changes no response to a request in this one (SPEC service 6)', async () => {
  const alone = await script(await newTenant(), async () => {});
  const busy: TestTenant[] = [];
  for (let index = 0; index < 5; index += 1) busy.push(await newTenant());
  for (let round = 0; round < 12; round += 1) {
    for (const tenant of busy) await beBusy(tenant, round);
    keywright.clock.advance(31);
  }
  let round = 12;
  const among = await script(await newTenant(), async () => {
    round += 1;
    await beBusy(busy[round % 5] as TestTenant, round);
  });
  assert.deepEqual(among, alone);
});

test('A mailbox gets 20 messages a day from all tenants that do not know its user, and a verified user gets all of theirs', async () => {
  const victim = 'victim@example.org';
  const mailed = () => sink.mails.filter(({ to }) => to.includes(victim)).length;
  let address = 0;
  const send = async (tenant: TestTenant) => {
    const headers = { 'x-forwarded-for': `192.0.2.${(address += 1)}` };
    const body = { identifier: victim, register: true };
    const started = await tenant.request<StartedFlow>('POST', '/auth/flows', { headers, body });
    const { flow, flow_token } = expectStatus(201, started);
    const path = `/auth/flows/${flow.id}/message`;
    expectStatus(200, await tenant.request('POST', path, { headers, body: { flow_token } }));
  };
  const others = [await newTenant(), await newTenant(), await newTenant()];
  for (const tenant of others) for (let index = 0; index < 8; index += 1) await send(tenant);
  const listed = async (tenant: TestTenant) => {
    const options = { token: await tenant.adminToken() };
    const path = '/messages?limit=100';
    const list = await tenant.request<{ items: MessageRecord[] }>('GET', path, options);
    return expectStatus(200, list).items;
  };
  const all = await until('nothing is pending', async () => {
    const items = (await Promise.all(others.map(listed))).flat();
    return items.every(({ status }) => status !== 'pending') ? items : undefined;
  });
  assert.equal(mailed(), 20);
  const unsent = all.filter(({ status }) => status === 'not_sent');
  assert.equal(unsent.length, 4);

  const userTenant = await newTenant();
  const token = await userTenant.adminToken();
  const { user } = await userTenant.createUser();
  const identifiers = [{ type: 'email', identifier: victim, verified: true }];
  const change = { token, body: { identifiers } };
  expectStatus(200, await userTenant.request('PATCH', `/users/${user.id}`, change));
  await send(userTenant);
  await until('the user has their message', () => mailed() === 21);

  const decoyed = await keywright.tenant('decoyed', { config: { magic_link_registration: false } });
  await send(decoyed);
  const [decoy] = await listed(decoyed);
  assert.deepEqual([...new Set(unsent.map(({ reason }) => reason))], [decoy?.reason]);
});
