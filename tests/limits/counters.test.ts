// An anonymous client that fills a counter from its network locks no one else out: neither the affected user, on a known
// device or in another network, nor other users of the tenant.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAgentId } from '@keywright/server/platform/crypto/ids';
import type { COUNTED_ELSEWHERE, COUNTERS } from '@keywright/server/tenancy/counters';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { startDevice, DeviceBrowser, deviceClient } from '../harness/device.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough } from '../harness/mailed.ts';
import { pooled } from '../harness/parallel.ts';
import { newRegistrationToken } from '../harness/registration.ts';
import { type SmsSink, startSmsSink } from '../harness/sms-sink.ts';
import { LIMITED, type Limited } from './limited.ts';
import { MESSAGE_SCENARIOS } from './message-scenarios.ts';
import {
  ATTACKER,
  HOME,
  MANY,
  type Member,
  type Person,
  Place,
  type Scenario,
  useUp,
} from './place.ts';

type Tables = typeof COUNTERS & typeof COUNTED_ELSEWHERE;
type AnonymousCounter = {
  [Name in keyof Tables]: Tables[Name]['raisedBy'] extends 'anonymous' ? Name : never;
}[keyof Tables];

const AT_ONCE = 8;

let mails: MailSink;
let texts: SmsSink;
let keywright: Keywright;

before(async () => {
  mails = await startMailSink();
  texts = await startSmsSink();
  keywright = await startKeywright({
    clock: 'fake',
    env: {
      KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
      KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
      ...mailThrough(mails),
    },
  });
});
after(async () => {
  await keywright.close();
  await mails.close();
  await texts.close();
});

/** A counter that is keyed by network refuses only that network. */
function perNetwork(name: string, instead: Partial<Limited> = {}): Scenario {
  const limited = { ...(LIMITED[name] ?? assert.fail()), ...instead };
  return {
    ...(limited.config && { config: limited.config }),
    async run({ tenant }) {
      const send = await limited.prepare(tenant, keywright);
      const from = (address: string, index: number) => send({ 'x-forwarded-for': address }, index);
      const all = Array.from({ length: limited.limit }, (_, index) => index);
      const admitted = await pooled(AT_ONCE, all, (index) => from(ATTACKER, index));
      assert.ok(admitted.every(({ status }) => status !== 429));
      assert.equal((await from(ATTACKER, limited.limit)).status, 429);
      assert.notEqual((await from(HOME, limited.limit + 1)).status, 429);
    },
  };
}

const LOGINS = { login_attempts_limit: 3, login_attempts_window: 60 };

/** Guesses at the password of a member until they are refused. */
function guess(place: Place, { identifier }: Person): Promise<number> {
  return useUp(() => place.logIn({ identifier, secret: newPassword() }, ATTACKER));
}

async function requireOpenFor(place: Place, owner: Member): Promise<void> {
  assert.equal((await place.logIn(owner, ATTACKER)).status, 429, 'the network of the guesses');
  const device = { device_token: owner.deviceToken };
  expectStatus(200, await place.logIn(owner, ATTACKER, device));
  expectStatus(200, await place.logIn(owner, HOME));
  expectStatus(200, await place.logIn(await place.member(), ATTACKER));
}

const IDENTIFIER: Scenario = {
  config: LOGINS,
  async run(place) {
    const owner = await place.member();
    assert.equal(await guess(place, owner), LOGINS.login_attempts_limit);
    await requireOpenFor(place, owner);
  },
};

const DAY: Scenario = {
  config: LOGINS,
  async run(place) {
    const owner = await place.member();
    let guesses = 0;
    for (let window = 0; window < 11; window += 1) {
      guesses += await guess(place, owner);
      keywright.clock.advance(LOGINS.login_attempts_window);
    }
    assert.equal(guesses, 10 * LOGINS.login_attempts_limit);
    await requireOpenFor(place, owner);
  },
};

const REGISTRATIONS: Scenario = {
  config: { registrations_limit: 8, registrations_address_limit: 100 },
  async run(place) {
    const member = await place.member();
    const newcomer = () => ({ identifier: newIdentifier(), secret: newPassword() });
    const register = (from: string) => place.logIn(newcomer(), from, { register: true });
    // The administrator used one of the first six registrations.
    assert.equal(await useUp(() => register(ATTACKER)), 5);
    expectStatus(200, await register(HOME));
    expectStatus(200, await place.logIn(member, ATTACKER));
    // Past the limit, registrations need a proven address.
    const { identifier } = newcomer();
    const flow = await place.startFlow(identifier, ATTACKER, { register: true });
    expectStatus(200, await place.send(flow, ATTACKER));
    const { code } = await mailedTo(mails, identifier);
    const proven = expectStatus(200, await place.prove(flow, code, ATTACKER));
    assert.equal(proven.flow.status, 'complete');
  },
};

const ALL_CLIENTS: Scenario = {
  async run({ tenant }) {
    const { agent, key } = await tenant.createAgent();
    const token = (client_id: string, client_secret: string, from: string) =>
      tenant.request('POST', '/auth/token', {
        headers: { 'x-forwarded-for': from },
        contentType: 'application/x-www-form-urlencoded',
        rawBody: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id,
          client_secret,
        }).toString(),
      });
    const fail = () => token(newAgentId(new Date()), 'x', ATTACKER);
    await pooled(AT_ONCE, Array.from({ length: 600 }), fail);
    assert.equal((await fail()).status, 429);
    expectStatus(200, await token(agent.id, key, HOME));
  },
};

const USER_CODES: Scenario = {
  async run(place) {
    const { tenant } = place;
    const send = await LIMITED['codes of devices']?.prepare(tenant, keywright);
    assert.equal((await send?.({ 'x-forwarded-for': ATTACKER }, 0))?.status, 400);
    await place.pour(1000, 'user codes of tenant');
    keywright.clock.advance(10);
    const owner = await tenant.createUser();
    const { userCode } = await startDevice(tenant, await deviceClient(tenant));
    assert.match(userCode, /^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$/);
    const issuer = `https://id.example.com/t/${tenant.id}`;
    const browser = new DeviceBrowser(tenant, issuer, owner, { 'x-forwarded-for': HOME });
    assert.ok((await browser.type(userCode)).actions.includes('allow'));
  },
};

const SCENARIOS: Readonly<Record<AnonymousCounter, Scenario>> = {
  ...MESSAGE_SCENARIOS,
  login: perNetwork('logins from an address'),
  'login identifier': IDENTIFIER,
  'login identifier day': DAY,
  'login newcomer': IDENTIFIER,
  registration: perNetwork('registrations'),
  'registration tenant': REGISTRATIONS,
  'registration newcomer': REGISTRATIONS,
  flow: perNetwork('login flows'),
  undo: perNetwork('undone changes'),
  refresh: perNetwork('rejected refreshes'),
  push: perNetwork('pushed requests'),
  'device grant': perNetwork('logins on devices'),
  'client registration': perNetwork('registered applications'),
  document: perNetwork('documents of applications', {
    limit: 1,
    config: { oauth_metadata_documents: 'any' },
  }),
  'listed document': perNetwork('documents of applications'),
  'user code': perNetwork('codes of devices'),
  'user codes of tenant': USER_CODES,
  client: perNetwork('failures of a client'),
  clients: ALL_CLIENTS,
  reporter: perNetwork('reports of leaked keys'),
  'messages of requester': perNetwork('messages'),
  'open flows': {
    async run(place) {
      const { identifier, secret, deviceToken } = await place.member();
      const flow = await place.startFlow(identifier, HOME);
      const device = { device_token: deviceToken };
      const deviceFlow = await place.startFlow(identifier, ATTACKER, device);
      for (let index = 0; index < 25; index += 1) await place.startFlow(identifier, ATTACKER);
      const proof = { flow_token: deviceFlow.flow_token, secret };
      expectStatus(
        200,
        await place.post(`/auth/flows/${deviceFlow.flow.id}/password`, ATTACKER, proof),
      );
      expectStatus(200, await place.send(flow, HOME));
      const { code } = await mailedTo(mails, identifier);
      assert.equal(expectStatus(200, await place.prove(flow, code, HOME)).flow.status, 'complete');
    },
  },
  'registered clients': {
    config: { oauth_registration: 'open', oauth_max_registered_clients: 3 },
    async run(place) {
      const body = { redirect_uris: ['https://app.example.com/callback'] };
      const register = () => place.post('/oauth/register', ATTACKER, body);
      for (let index = 0; index < 3; index += 1) expectStatus(201, await register());
      assert.equal((await register()).body.code, 'REGISTRATION_FULL');
      const { registration_token: token = '' } = await newRegistrationToken(place.tenant);
      expectStatus(201, await place.tenant.request('POST', '/oauth/register', { token, body }));
    },
  },
};

describe('an anonymous client that fills a counter locks no one else out:', () => {
  for (const [name, { config, run }] of Object.entries(SCENARIOS)) {
    test(`An anonymous client that fills the counter "${name}" locks no one else out`, async () => {
      const high = { login_attempts_limit: MANY, login_attempts_address_limit: 10 * MANY };
      const slug = `c-${name.replaceAll(' ', '-')}`;
      const tenant = await keywright.tenant(slug, { config: { ...high, ...config } });
      await run(new Place(keywright, tenant, mails, texts));
    });
  }
});
