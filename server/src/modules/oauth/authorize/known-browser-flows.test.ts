// Strangers cannot use up the open flows and the messages of a known browser on the pages of a tenant.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { Visitor } from '@keywright/tests/harness/visitor';

const HOME = '198.51.100.8';
/** Messages per hour to one recipient that strangers can request, including those in new networks. */
const STRANGERS = 15;
/** Open flows of an identifier and a network. */
const MAX_OPEN = 20;

let keywright: Keywright;
let sink: MailSink;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({
    clock: 'fake',
    env: { ...mailThrough(sink), KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  tenant = await keywright.tenant('flows', { config: { notify_new_device: false } });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

const newBrowser = () =>
  new Visitor(tenant, `https://id.example.com/t/${tenant.id}`, { 'x-forwarded-for': HOME });

async function verified(): Promise<TestUser> {
  const user = await tenant.createUser();
  const identifiers = [{ type: 'email', identifier: user.identifier, verified: true }];
  const options = { token: await tenant.adminToken(), body: { identifiers } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
  return user;
}

/** A browser in which the user has logged in and out. */
async function recognizedBrowser({ identifier, password: secret }: TestUser): Promise<Visitor> {
  const browser = newBrowser();
  await browser.open(`/t/${tenant.id}/account`);
  await browser.press('login', { identifier, secret });
  for (const name of browser.cookies.keys()) if (/kw_/.test(name)) browser.keep(name, 'ended');
  return browser;
}

/** Advances the clock once pending emails are sent: after another minute they would be sent again. */
async function passTime(seconds: number): Promise<void> {
  await until('all mails are sent', async () => {
    const [row] = await keywright.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM messages WHERE status = 'pending'`,
    );
    return row?.n === 0;
  });
  keywright.clock.advance(seconds);
}

async function sendCode(browser: Visitor, { identifier }: TestUser): Promise<void> {
  await browser.open(`/t/${tenant.id}/account`);
  await browser.press('begin_code');
  await browser.press('send_code', { identifier });
  await passTime(31);
}

async function startFlow({ identifier }: TestUser, from: string): Promise<StartedFlow> {
  const options = { headers: { 'x-forwarded-for': from }, body: { identifier } };
  return expectStatus(201, await tenant.request<StartedFlow>('POST', '/auth/flows', options));
}

async function message({ flow, flow_token }: StartedFlow, from: string): Promise<void> {
  const options = { headers: { 'x-forwarded-for': from }, body: { flow_token } };
  expectStatus(200, await tenant.request('POST', `/auth/flows/${flow.id}/message`, options));
  await passTime(31);
}

test('A known browser receives a message after strangers have used up those of its user.', async () => {
  const user = await verified();
  const recognized = await recognizedBrowser(user);
  for (let count = 0; count < 2 * STRANGERS; count += 1) {
    const from = `203.0.${Math.floor(count / 3)}.7`;
    await message(await startFlow(user, from), from);
  }
  const sent = await mailedTo(sink, user.identifier, STRANGERS - 1);
  // This email is withheld, so the next one received is for the known browser.
  await sendCode(newBrowser(), user);
  await sendCode(recognized, user);
  const { code, mail } = await mailedTo(sink, user.identifier, STRANGERS);
  assert.notEqual(mail, sent.mail);
  const { redirectsTo, text } = await recognized.press('code', { code });
  assert.ok(redirectsTo, text);
});

test('A flow on a known browser stays open however many strangers begin in the same network.', async () => {
  const user = await verified();
  const [recognized, unknown] = [await recognizedBrowser(user), newBrowser()];
  await sendCode(unknown, user);
  const toUnknown = await mailedTo(sink, user.identifier);
  await sendCode(recognized, user);
  const toRecognized = await mailedTo(sink, user.identifier, 1);
  for (let count = 0; count < MAX_OPEN; count += 1) {
    await startFlow(user, HOME);
    await passTime(2);
  }
  const ended = await unknown.press('code', { code: toUnknown.code });
  assert.equal(ended.redirectsTo, undefined);
  const { redirectsTo, text } = await recognized.press('code', {
    code: toRecognized.code,
  });
  assert.ok(redirectsTo, text);
});
