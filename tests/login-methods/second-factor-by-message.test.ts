// Codes by SMS and email as second factors, for tenants that accept them: when they count, and attempts to bypass them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody, ErrorCode } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, OfferedFlow } from '@keywright/contract/records/login-flow';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough } from '../harness/mailed.ts';
import {
  newNumber,
  type SmsSink,
  smsThrough,
  startSmsSink,
  textedTo,
} from '../harness/sms-sink.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { enrollTotp } from '../harness/totp.ts';
import { until } from '../harness/until.ts';

type Reply = Answer<FlowAnswer & ErrorBody>;
type OpenFlow = Pick<StartedFlow, 'flow_token'> & {
  readonly flow: Pick<OfferedFlow, 'id' | 'needs'>;
};

let mail: MailSink;
let sms: SmsSink;
let keywright: Keywright;
let tenants = 0;

before(async () => {
  mail = await startMailSink();
  sms = await startSmsSink();
  keywright = await startKeywright({
    clock: 'fake',
    env: {
      ...mailThrough(mail),
      KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
      KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32',
    },
  });
});
after(async () => {
  await keywright.close();
  await sms.close();
  await mail.close();
});

/** A tenant that requires two factors, and can send text messages to Germany. */
async function tenantWith(config: Partial<TenantConfig>): Promise<TestTenant> {
  const tenant = await keywright.tenant(`codes-${(tenants += 1)}`);
  const body = {
    messaging: { sms: smsThrough(sms) },
    config: { sms_countries: ['DE'], require_mfa: true, notify_new_device: false, ...config },
  };
  await change(tenant, body);
  return tenant;
}

async function change(tenant: TestTenant, body: object): Promise<void> {
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));
}

interface Person {
  readonly id: string;
  readonly address: string;
  readonly number: string;
  readonly secret: string;
}

/** Creates a user with a verified address. @param has `verified`: their number is verified as well */
async function personOf(
  tenant: TestTenant,
  has: { readonly number?: string; readonly verified?: boolean } = {},
): Promise<Person> {
  const { number = newNumber(), verified = true } = has;
  const token = await tenant.adminToken();
  const [address, secret] = [newIdentifier(), newPassword()];
  const made = await tenant.request<{ id: string }>('POST', '/users', {
    token,
    body: { identifier: address, password: secret },
  });
  const { id } = expectStatus(201, made);
  const identifiers = [
    { type: 'email', identifier: address, verified: true },
    { type: 'phone', identifier: number, verified },
  ];
  expectStatus(
    200,
    await tenant.request('PATCH', `/users/${id}`, { token, body: { identifiers } }),
  );
  return { id, address, number, secret };
}

let addresses = 0;
/** Returns another client address, since an address can start few flows and request few messages. */
const from = () => ({
  headers: { 'x-forwarded-for': `198.18.${Math.floor((addresses += 1) / 250)}.${addresses % 250}` },
});

/** Starts a login and proves its password. */
async function byPassword(
  tenant: TestTenant,
  { address: identifier, secret }: Person,
): Promise<OpenFlow> {
  const options = { body: { identifier, secret }, ...from() };
  const { body } = await tenant.request<ErrorBody>('POST', '/auth/login', options);
  assert.equal(body.code, 'MFA_REQUIRED');
  assert.ok(body.flow?.flow_token);
  return { flow: body.flow, flow_token: body.flow.flow_token };
}

async function startFlow(tenant: TestTenant, body: object): Promise<StartedFlow> {
  return expectStatus(201, await tenant.request('POST', '/auth/flows', { body, ...from() }));
}

function step(tenant: TestTenant, { flow, flow_token }: OpenFlow, name: string, body: object = {}) {
  const options = { body: { flow_token, ...body }, ...from() };
  return tenant.request<Reply['body']>('POST', `/auth/flows/${flow.id}/${name}`, options);
}

const needsOf = ({ needs }: Pick<OfferedFlow, 'needs'>) =>
  needs.map(({ step: name, channels }) => [name, ...(channels ?? [])].join(' '));
const countOf = ({ number }: Person) => sms.requests.filter(({ to }) => to === number).length;

/** Requests the code of the second factor. */
async function texted(tenant: TestTenant, person: Person, started: OpenFlow): Promise<string> {
  const skip = countOf(person);
  expectStatus(200, await step(tenant, started, 'message'));
  return textedTo(sms, person.number, skip);
}

function refused(answer: Answer<ErrorBody>, code: ErrorCode): void {
  assert.equal(answer.body.code, code, answer.text);
}

function levelOf(answer: Reply) {
  const { acr, amr } = claimsOf(expectStatus(200, answer).access_token ?? '');
  return { acr, amr };
}

const other = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));

describe('a code by SMS', () => {
  test('A code by SMS to the number of a login by address is a second factor where the tenant accepts it', async () => {
    const tenant = await tenantWith({ mfa_methods: ['totp', 'sms'] });
    const person = await personOf(tenant);
    const started = await byPassword(tenant, person);
    assert.deepEqual(needsOf(started.flow), ['message sms']);
    refused(await step(tenant, started, 'message', { channel: 'email' }), 'STEP_NOT_NEEDED');
    refused(await step(tenant, started, 'enroll/totp'), 'STEP_NOT_NEEDED');
    const sent = await tenant.request<{ sent_to: string; flow: OfferedFlow }>(
      'POST',
      `/auth/flows/${started.flow.id}/message`,
      { body: { flow_token: started.flow_token, channel: 'sms' }, ...from() },
    );
    const { sent_to: sentTo, flow } = expectStatus(200, sent);
    assert.equal(sentTo, `+4…${person.number.slice(-2)}`);
    assert.deepEqual(needsOf(flow), ['message sms', 'code']);
    const code = await textedTo(sms, person.number);
    refused(await step(tenant, started, 'code', { code: other(code) }), 'CODE_WRONG');
    const done = await step(tenant, started, 'code', { code });
    assert.deepEqual(levelOf(done), { acr: 'aal2', amr: ['pwd', 'sms', 'otp', 'mfa'] });
    const body = { refresh_token: done.body.refresh_token };
    const refreshed = await tenant.request<Reply['body']>('POST', '/auth/refresh', { body });
    assert.equal(levelOf(refreshed).acr, 'aal2');
    refused(await step(tenant, started, 'code', { code }), 'FLOW_ENDED');
  });

  test('A code by SMS is no second factor where the tenant does not accept it, or for a number that is not eligible', async () => {
    const usual = await tenantWith({});
    assert.deepEqual(needsOf((await byPassword(usual, await personOf(usual))).flow), [
      'message email',
    ]);
    const tenant = await tenantWith({ mfa_methods: ['totp', 'sms'] });
    for (const has of [{ verified: false }, { number: '+33612345678' }]) {
      const person = await personOf(tenant, has);
      const started = await byPassword(tenant, person);
      assert.deepEqual(needsOf(started.flow), ['message email']);
      refused(await step(tenant, started, 'message', { channel: 'sms' }), 'STEP_NOT_NEEDED');
      assert.equal(countOf(person), 0);
    }
  });

  test('A code by SMS is no second factor for a login that started with one', async () => {
    const tenant = await tenantWith({ mfa_methods: ['totp', 'sms'] });
    const person = await personOf(tenant);
    const started = await startFlow(tenant, { identifier: person.number });
    const code = await texted(tenant, person, started);
    const { flow } = expectStatus(200, await step(tenant, started, 'code', { code }));
    assert.deepEqual(needsOf(flow), ['enroll']);
    refused(await step(tenant, started, 'message'), 'STEP_NOT_NEEDED');
  });

  test('A code by SMS does not replace a second factor that the user has', async () => {
    const tenant = await tenantWith({ mfa_methods: ['totp', 'sms'], require_mfa: false });
    const person = await personOf(tenant);
    const started = await startFlow(tenant, { identifier: person.address, acr: 'aal2' });
    expectStatus(200, await step(tenant, started, 'password', { secret: person.secret }));
    const code = await texted(tenant, person, started);
    const login = await tenant.login(person.address, person.secret);
    await enrollTotp(tenant, login.access_token, keywright.clock);
    // The earlier code is bound to the user's previous version.
    refused(await step(tenant, started, 'code', { code }), 'CODE_WRONG');
    const later = await byPassword(tenant, person);
    assert.deepEqual(needsOf(later.flow), ['totp', 'recovery_code']);
    refused(await step(tenant, later, 'message', { channel: 'sms' }), 'STEP_NOT_NEEDED');
    refused(await step(tenant, later, 'code', { code }), 'STEP_NOT_NEEDED');
  });

  test('A code by SMS comes before the new password of a recovery, and is needed once', async () => {
    const tenant = await tenantWith({ mfa_methods: ['totp', 'sms'] });
    const person = await personOf(tenant);
    const started = await startFlow(tenant, { identifier: person.address, purpose: 'recovery' });
    expectStatus(200, await step(tenant, started, 'message'));
    const { code: mailed } = await mailedTo(mail, person.address);
    const proven = expectStatus(200, await step(tenant, started, 'code', { code: mailed }));
    assert.deepEqual(needsOf(proven.flow), ['message sms']);
    const secret = newPassword();
    refused(await step(tenant, started, 'new-password', { secret }), 'STEP_NOT_NEEDED');
    const code = await texted(tenant, person, started);
    const second = expectStatus(200, await step(tenant, started, 'code', { code }));
    assert.deepEqual(needsOf(second.flow), ['new_password']);
    const done = await step(tenant, started, 'new-password', { secret });
    assert.equal(levelOf(done).acr, 'aal2');
  });

  test('A code by SMS counts for nothing once the tenant no longer accepts it', async () => {
    const tenant = await tenantWith({ mfa_methods: ['totp', 'sms'] });
    const person = await personOf(tenant);
    const started = await byPassword(tenant, person);
    const code = await texted(tenant, person, started);
    await change(tenant, { config: { mfa_methods: null } });
    const answer = await step(tenant, started, 'code', { code });
    assert.equal(answer.body.access_token, undefined);
    refused(answer, 'CODE_WRONG');
  });
});

describe('no code of another step or flow is a second factor', () => {
  test('A mailed code that the login could have started with is not a second factor', async () => {
    const tenant = await tenantWith({ mfa_methods: ['totp', 'sms', 'email'] });
    const person = await personOf(tenant);
    const started = await startFlow(tenant, { identifier: person.address });
    expectStatus(200, await step(tenant, started, 'message'));
    const { code: mailed } = await mailedTo(mail, person.address);
    const { secret } = person;
    const proven = expectStatus(200, await step(tenant, started, 'password', { secret }));
    assert.equal(proven.access_token, undefined);
    refused(await step(tenant, started, 'code', { code: mailed }), 'CODE_WRONG');
    const code = await texted(tenant, person, started);
    refused(await step(tenant, started, 'code', { code: mailed }), 'CODE_WRONG');
    assert.equal(levelOf(await step(tenant, started, 'code', { code })).acr, 'aal2');
  });

  test('The code of another flow, or the same code used twice, is no second factor', async () => {
    const tenant = await tenantWith({ mfa_methods: ['totp', 'sms'] });
    const person = await personOf(tenant);
    const [first, two] = [await byPassword(tenant, person), await byPassword(tenant, person)];
    const code = await texted(tenant, person, first);
    keywright.clock.advance(31);
    const second = await texted(tenant, person, two);
    refused(await step(tenant, two, 'code', { code }), 'CODE_WRONG');
    const answers = await Promise.all(
      [0, 1, 2, 3].map(() => step(tenant, two, 'code', { code: second })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });
});

test('A series of wrong codes suspends the number, notifies its user, and allows no weaker factor', async () => {
  const tenant = await tenantWith({ mfa_methods: ['totp', 'sms'] });
  const person = await personOf(tenant);
  const started = await byPassword(tenant, person);
  const code = await texted(tenant, person, started);
  const { database } = keywright;
  await database.query('UPDATE user_identifiers SET failures = 99 WHERE identifier = $1', [
    person.number,
  ]);
  refused(await step(tenant, started, 'code', { code: other(code) }), 'CODE_WRONG');
  refused(await step(tenant, started, 'code', { code }), 'CODE_WRONG');
  refused(await step(tenant, started, 'message'), 'DESTINATION_REFUSED');
  const later = await byPassword(tenant, person);
  assert.deepEqual(needsOf(later.flow), ['message sms']);
  refused(await step(tenant, later, 'message'), 'DESTINATION_REFUSED');
  await until('a notice', () =>
    mail.mails.some(({ to, raw }) => to.includes(person.address) && /Sign-in blocked/.test(raw)),
  );
  const token = await tenant.adminToken();
  const path = '/audit?action=factor.suspicious';
  const audit = await tenant.request<{ items: { details: object }[] }>('GET', path, { token });
  assert.deepEqual(
    expectStatus(200, audit).items.map(({ details }) => details),
    [{ user_id: person.id, reason: 'too_many_failures', channel: 'sms' }],
  );
  // An administrator removes the number and adds it again, after verifying its owner.
  const addressOnly = { type: 'email', identifier: person.address, verified: true };
  const both = [addressOnly, { type: 'phone', identifier: person.number, verified: true }];
  for (const identifiers of [[addressOnly], both]) {
    const body = { identifiers };
    expectStatus(200, await tenant.request('PATCH', `/users/${person.id}`, { token, body }));
  }
  keywright.clock.advance(31);
  const fresh = await byPassword(tenant, person);
  const right = await texted(tenant, person, fresh);
  assert.equal(levelOf(await step(tenant, fresh, 'code', { code: right })).acr, 'aal2');
});

describe('a code by mail', () => {
  test('A code by mail satisfies the tenant that accepts it, and leaves the session at aal1', async () => {
    const tenant = await tenantWith({ mfa_methods: ['totp', 'email'] });
    const person = await personOf(tenant);
    const started = await byPassword(tenant, person);
    assert.deepEqual(needsOf(started.flow), ['message email']);
    expectStatus(200, await step(tenant, started, 'message'));
    const { code, linkToken } = await mailedTo(mail, person.address);
    assert.equal(linkToken, '');
    const done = await step(tenant, started, 'code', { code });
    assert.deepEqual(levelOf(done), { acr: 'aal1', amr: ['pwd', 'email'] });
    const refresh = (refreshToken: string | undefined) =>
      tenant.request<TokenAnswer & ErrorBody>('POST', '/auth/refresh', {
        body: { refresh_token: refreshToken },
      });
    const refreshed = expectStatus(200, await refresh(done.body.refresh_token));
    await change(tenant, { config: { mfa_methods: ['totp'] } });
    refused(await refresh(refreshed.refresh_token), 'STEP_UP_REQUIRED');
  });

  test('A code by mail is no second factor after a first factor by mail, nor where a level is requested', async () => {
    const tenant = await tenantWith({ mfa_methods: ['totp', 'email'] });
    const person = await personOf(tenant);
    const started = await startFlow(tenant, { identifier: person.address });
    expectStatus(200, await step(tenant, started, 'message'));
    const { code } = await mailedTo(mail, person.address);
    const { flow } = expectStatus(200, await step(tenant, started, 'code', { code }));
    assert.deepEqual(needsOf(flow), ['enroll']);
    const elevated = await startFlow(tenant, { identifier: person.address, acr: 'aal2' });
    const { secret } = person;
    const proven = expectStatus(200, await step(tenant, elevated, 'password', { secret }));
    // The message proves the mailbox before a factor is enrolled. It is not a second factor itself.
    assert.deepEqual(needsOf(proven.flow), ['message email']);
    keywright.clock.advance(31);
    expectStatus(200, await step(tenant, elevated, 'message'));
    const { code: mailed } = await mailedTo(mail, person.address, 1);
    const last = expectStatus(200, await step(tenant, elevated, 'code', { code: mailed }));
    assert.deepEqual([needsOf(last.flow), last.access_token], [['enroll'], undefined]);
  });
});

describe('mfa_methods', () => {
  test('The setting mfa_methods is refused with messages that cannot be sent', async () => {
    const tenant = await keywright.tenant('codes-unsent');
    const token = await tenant.adminToken();
    const body = { config: { mfa_methods: ['sms'] } };
    refused(
      await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }),
      'METHOD_NOT_READY',
    );
    const opted = await tenantWith({ mfa_methods: ['sms'] });
    const options = { token: await opted.adminToken(), body: { config: { sms_countries: null } } };
    refused(await opted.request('PATCH', `/tenants/${opted.id}`, options), 'METHOD_NOT_READY');
  });

  test('A dry run of mfa_methods reports how many users would have no second factor', async () => {
    const tenant = await tenantWith({ require_mfa: false });
    await personOf(tenant);
    await personOf(tenant);
    await personOf(tenant, { verified: false });
    const token = await tenant.adminToken();
    const affected = async (config: object) => {
      const path = `/tenants/${tenant.id}?dry_run=true`;
      const answer = await tenant.request<{ affected: { setting: string; users: number }[] }>(
        'PATCH',
        path,
        { token, body: { config } },
      );
      const { setting, users } = expectStatus(200, answer).affected[0] ?? {};
      return [setting, users];
    };
    // Three users and the administrator, who has no number.
    assert.deepEqual(await affected({ require_mfa: true }), ['require_mfa', 4]);
    const bySms = { require_mfa: true, mfa_methods: ['totp', 'sms'] };
    assert.deepEqual(await affected(bySms), ['require_mfa', 2]);
    await change(tenant, { config: { mfa_methods: ['totp', 'sms'] } });
    expectStatus(
      200,
      await tenant.request('PATCH', `/tenants/${tenant.id}`, {
        token,
        body: { config: { require_mfa: true } },
      }),
    );
    assert.deepEqual(await affected({ mfa_methods: ['totp'] }), ['mfa_methods', 4]);
  });
});
