import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import {
  newNumber,
  type SmsSink,
  smsThrough,
  startSmsSink,
  textedTo,
} from '@keywright/tests/harness/sms-sink';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { counted } from '../../../tenancy/counters.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A mobile number of each country. */
const NUMBERS = {
  AT: '+436641234567',
  CH: '+41791234567',
  DE: '+4915112345678',
  FR: '+33612345678',
  GB: '+447400123456',
  IT: '+393123456789',
  NL: '+31612345678',
};
const COUNTRIES = Object.keys(NUMBERS);

let sink: SmsSink;
let keywright: Keywright;
let tenants = 0;

before(async () => {
  sink = await startSmsSink();
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32', KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
  });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

async function tenantWith(config: object = {}): Promise<TestTenant> {
  const made = await keywright.tenant(`sms-limits-${(tenants += 1)}`);
  await change(made, { config: { sms_countries: COUNTRIES, ...config } });
  return made;
}

async function change(tenant: TestTenant, body: object): Promise<void> {
  const token = await tenant.adminToken();
  const whole = { messaging: { sms: smsThrough(sink) }, ...body };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body: whole }));
}

let addresses = 0;
const newAddress = () => `198.18.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`;

/** Requests a login code, from a new address unless one is given. */
async function requestCode(
  tenant: TestTenant,
  identifier: string,
  address = newAddress(),
): Promise<Answer<ErrorBody> & { readonly startedFlow: StartedFlow }> {
  // Flows are limited by address as well.
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
  const startedFlow = expectStatus(
    201,
    await tenant.request<StartedFlow>('POST', '/auth/flows', {
      body: { identifier },
      ...from(newAddress()),
    }),
  );
  const body = { flow_token: startedFlow.flow_token };
  const path = `/auth/flows/${startedFlow.flow.id}/message`;
  const answer = await tenant.request<ErrorBody>('POST', path, { body, ...from(address) });
  return Object.assign(answer, { startedFlow });
}

const says = ({ status, body }: Answer<ErrorBody>) => (status === 200 ? 'sent' : body.code);

/** Adds the number, verified, to a user. */
async function give(tenant: TestTenant, number: string): Promise<void> {
  const { user } = await tenant.createUser();
  const token = await tenant.adminToken();
  const body = { identifiers: [{ type: 'phone', identifier: number, verified: true }] };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, { token, body }));
}

function sentTo(numbers: readonly string[]): number {
  return sink.requests.filter(({ to }) => numbers.includes(to)).length;
}

/** Waits until a tenant has no message left to send. @returns how many were sent */
async function settled(tenant: TestTenant): Promise<number> {
  const token = await tenant.adminToken();
  const count = async (status: string) => {
    const path = `/messages?limit=1&status=${status}`;
    const list = await tenant.request<{ meta: { total: number } }>('GET', path, {
      token,
    });
    return expectStatus(200, list).meta.total;
  };
  await until('nothing is pending', async () => (await count('pending')) === 0);
  return count('sent');
}

describe('a number', () => {
  /**
   * Examples of numbering plans. The tenant would pay for each message, and the owner of the number would get a
   * share.
   */
  const TOLL = {
    'a premium-rate number': '+19005551234',
    'a premium-rate number in the United Kingdom': '+448431234567',
    'a shared-cost number': '+491801234567',
    'a pager': '+447640123456',
    'a personal number': '+447012345678',
    'a company-wide number (UAN)': '+443112345678',
    'a toll-free number': '+80012345678',
    'a satellite phone': '+881612345678',
    'an international network': '+8835100012345',
    'a universal personal number': '+87812345678901',
    'a number of no numbering plan': '+491511234567',
    'a number with its national prefix': '+4407400123456',
    'a number of another country with the same code': '+18765551234',
  };
  for (const [what, number] of Object.entries(TOLL)) {
    test(`A number that is ${what} is never sent a message, even if a user has verified it`, async () => {
      const tenant = await tenantWith({ sms_countries: ['US', 'GB', 'DE'] });
      assert.equal(says(await requestCode(tenant, number)), 'DESTINATION_REFUSED');
      await give(tenant, number);
      assert.equal(says(await requestCode(tenant, number)), 'DESTINATION_REFUSED');
      assert.equal(await settled(tenant), 0);
      assert.equal(sentTo([number]), 0);
    });
  }
});

test('sms_countries: only numbers of these countries are sent messages', async () => {
  const tenant = await tenantWith({ sms_countries: ['DE'] });
  await give(tenant, NUMBERS.DE);
  await give(tenant, NUMBERS.FR);
  assert.equal(says(await requestCode(tenant, NUMBERS.DE)), 'sent');
  assert.equal(says(await requestCode(tenant, NUMBERS.FR)), 'DESTINATION_REFUSED');
  assert.match(await textedTo(sink, NUMBERS.DE), /^[0-9]{6}$/);
  await change(tenant, { config: { sms_countries: ['FR'] } });
  assert.equal(says(await requestCode(tenant, NUMBERS.FR)), 'sent');
  assert.equal(says(await requestCode(tenant, NUMBERS.DE)), 'DESTINATION_REFUSED');
});

describe('a recipient', () => {
  for (const isRegistered of [true, false]) {
    test(`${isRegistered ? 'that a user has' : 'that no one has'} gets one message in 30 seconds, 5 an hour and 10 a day for one address`, async () => {
      const tenant = await tenantWith();
      const address = newAddress();
      const number = newNumber();
      if (isRegistered) await give(tenant, number);
      const outcomes: (string | undefined)[] = [];
      for (const pause of [0, 1, 30, 31, 31, 31, 31, HOUR, 31, 31, 31, 31, 31, HOUR]) {
        // A message that is still waiting by then would no longer be sent.
        if (pause === HOUR) await settled(tenant);
        keywright.clock.advance(pause);
        outcomes.push(says(await requestCode(tenant, number, address)));
      }
      const [yes, no] = ['sent', 'TOO_MANY_MESSAGES'];
      const hour = [yes, no, yes, yes, yes, yes, no];
      assert.deepEqual(outcomes, [...hour, yes, yes, yes, yes, yes, no, no]);
      assert.equal(await settled(tenant), isRegistered ? 10 : 0);
    });
  }
});

describe('an address', () => {
  test('An IP address can request SMS messages to numbers of five countries a day', async () => {
    const tenant = await tenantWith();
    const address = newAddress();
    for (const number of Object.values(NUMBERS)) await give(tenant, number);
    const requestAll = async () => {
      const answers: (string | undefined)[] = [];
      for (const number of Object.values(NUMBERS)) {
        answers.push(says(await requestCode(tenant, number, address)));
      }
      return answers;
    };
    const [yes, no] = ['sent', 'TOO_MANY_MESSAGES'];
    assert.deepEqual(await requestAll(), [yes, yes, yes, yes, yes, no, no]);
    keywright.clock.advance(HOUR);
    assert.deepEqual(
      await requestAll(),
      [yes, yes, yes, yes, yes, no, no],
      'the previous ones, again',
    );
    assert.equal(says(await requestCode(tenant, NUMBERS.NL)), yes, 'another address');
    keywright.clock.advance(24 * HOUR);
    assert.equal(says(await requestCode(tenant, NUMBERS.IT, address)), yes);
  });

  for (const [network, times, address, neighbor] of [
    ['2001:db8:5:100/56', 4, '2001:db8:5:101::1', '2001:db8:5:1ff::1'],
    ['2001:db8:6/48', 16, '2001:db8:6:1::1', '2001:db8:6:ff01::1'],
    ['203.0.113.0/24', 16, '203.0.113.1', '203.0.113.2'],
  ] as const) {
    test(`An IP address in ${network} shares ${5 * times} countries of SMS messages a day with its neighbors`, async () => {
      const tenant = await tenantWith();
      await keywright.database.query(
        `INSERT INTO login_attempts (tenant_id, subject, window_started_at, window_ends_at, attempts)
         VALUES ($1, $2, $3, $3::timestamptz + interval '1 day', $4)`,
        [tenant.id, counted('sms countries', network), keywright.clock.now(), 5 * times - 1],
      );
      assert.equal(
        says(await requestCode(tenant, NUMBERS.AT, address)),
        'sent',
        'the last country',
      );
      assert.equal(says(await requestCode(tenant, NUMBERS.CH, neighbor)), 'TOO_MANY_MESSAGES');
      keywright.clock.advance(MINUTE);
      assert.equal(
        says(await requestCode(tenant, NUMBERS.AT, neighbor)),
        'sent',
        'a country from before',
      );
      assert.equal(says(await requestCode(tenant, NUMBERS.CH)), 'sent', 'another network');
    });
  }

  test('An IP address can request 20 SMS messages an hour', async () => {
    const tenant = await tenantWith();
    const address = newAddress();
    const answers = new Map<string | undefined, number>();
    for (let count = 0; count < 25; count += 1) {
      const said = says(await requestCode(tenant, newNumber(), address));
      answers.set(said, (answers.get(said) ?? 0) + 1);
    }
    assert.deepEqual(
      [...answers],
      [
        ['sent', 20],
        ['TOO_MANY_MESSAGES', 5],
      ],
    );
  });
});

/** @param seconds after which the limit resets */
async function limits(
  setting: 'sms_hourly_limit' | 'sms_daily_limit' | 'sms_country_hourly_limit',
  seconds: number,
): Promise<void> {
  const tenant = await tenantWith({ [setting]: 4 });
  for (let decoy = 0; decoy < 6; decoy += 1) {
    assert.equal(says(await requestCode(tenant, newNumber())), 'sent');
  }
  const registeredNumbers = Array.from({ length: 4 }, () => newNumber());
  for (const number of registeredNumbers) await give(tenant, number);
  for (const number of registeredNumbers)
    assert.equal(says(await requestCode(tenant, number)), 'sent');
  assert.equal(await settled(tenant), 3, 'strangers have three quarters');
  keywright.clock.advance(seconds);
  const [last = ''] = registeredNumbers.slice(-1);
  assert.equal(says(await requestCode(tenant, last)), 'sent');
  assert.match(await textedTo(sink, last), /^[0-9]{6}$/);
}

test('sms_hourly_limit: further messages are not sent, which no answer tells, and decoys take nothing', () =>
  limits('sms_hourly_limit', HOUR));
test('sms_daily_limit: further messages are not sent until the day is over', () =>
  limits('sms_daily_limit', 24 * HOUR));
test('sms_country_hourly_limit: further messages to the country are not sent', () =>
  limits('sms_country_hourly_limit', HOUR));

describe('a country', () => {
  /** Sends messages to this many known numbers. @returns the codes that were used */
  async function send(tenant: TestTenant, count: number, used: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const number = newNumber();
      await give(tenant, number);
      const answer = await requestCode(tenant, number);
      assert.equal(says(answer), 'sent', `message ${index + 1}`);
      if (index >= used) continue;
      const { flow, flow_token } = answer.startedFlow;
      const body = { flow_token, code: await textedTo(sink, number) };
      expectStatus(200, await tenant.request('POST', `/auth/flows/${flow.id}/code`, { body }));
    }
  }

  const generous = { sms_hourly_limit: 1000, sms_country_hourly_limit: 1000 };

  async function pausesOf(tenant: TestTenant) {
    const token = await tenant.adminToken();
    const path = '/events?type=sms.paused';
    const list = await tenant.request<{ items: { data: object }[] }>('GET', path, { token });
    return expectStatus(200, list).items.map(({ data }) => data);
  }

  test('A country is paused for SMS messages for an hour, with an event, when few codes of 50 are used', async () => {
    const tenant = await tenantWith(generous);
    await send(tenant, 50, 9);
    const registeredNumber = newNumber();
    await give(tenant, registeredNumber);
    const paused = { status: 429, wait: 3600 };
    const shown = ({ status, headers }: Answer<ErrorBody>) => ({
      status,
      wait: Number(headers['retry-after']),
    });
    const parallel = await Promise.all(
      [registeredNumber, newNumber(), registeredNumber].map((number) =>
        requestCode(tenant, number),
      ),
    );
    assert.deepEqual(parallel.map(shown), [paused, paused, paused]);
    assert.equal(says(await requestCode(tenant, NUMBERS.AT)), 'sent', 'another country');
    const until_ = new Date(keywright.clock.now().getTime() + HOUR * 1000).toISOString();
    const data = {
      tenant_id: tenant.id,
      country: 'DE',
      sent: 50,
      redeemed: 9,
      paused_until: until_,
    };
    // The log shows an event only when no earlier transaction of the database can still add one.
    await until('the event is listed', async () => (await pausesOf(tenant)).length > 0);
    assert.deepEqual(await pausesOf(tenant), [data], 'once');
    keywright.clock.advance(HOUR - 1);
    assert.equal((await requestCode(tenant, registeredNumber)).status, 429);
    keywright.clock.advance(1);
    assert.equal(says(await requestCode(tenant, registeredNumber)), 'sent');
  });

  test('A country is not paused for SMS messages when enough codes are used', async () => {
    const tenant = await tenantWith(generous);
    await send(tenant, 50, 10);
    await send(tenant, 1, 0);
    assert.deepEqual(await pausesOf(tenant), []);
  });

  test('A country is not paused by SMS messages that were requested and not sent', async () => {
    const tenant = await tenantWith(generous);
    for (let count = 0; count < 55; count += 1) {
      assert.equal(says(await requestCode(tenant, newNumber())), 'sent');
    }
    assert.equal(await settled(tenant), 0);
    assert.deepEqual(await pausesOf(tenant), []);
  });
});

test('An attack that aims at the cost of text messages, from one address or from many, causes little cost', async () => {
  const tenant = await tenantWith();
  // The worst case: every number is known and verified, so that each would be sent a message.
  const numbers = Array.from({ length: 120 }, newNumber);
  for (const number of numbers) await give(tenant, number);
  const address = newAddress();
  for (const number of numbers) await requestCode(tenant, number, address);
  assert.equal(await settled(tenant), 20, 'from one address');
  keywright.clock.advance(31);
  for (const number of numbers) await requestCode(tenant, number);
  const fromMany = await settled(tenant);
  // Strangers can use 38 of the country's limit, and new networks six more.
  assert.ok(fromMany >= 38 && fromMany <= 44, `from many: ${fromMany}`);
  // The window of that limit is over.
  keywright.clock.advance(HOUR - 5);
  for (const number of numbers) await requestCode(tenant, number);
  assert.equal(await settled(tenant), 50, 'no code was used: the country is paused');
});
