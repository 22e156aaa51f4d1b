import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { InApp, newInAppClient } from '../harness/in-app.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { startMeter, workOf } from '../costs/meter.ts';
import { logIn, type RefusedLogin, refusedLogins, UNKNOWN } from '../faults/refused-logins.ts';
import { assertRefused } from './refusal.ts';

/** Headers that differ between any two responses. */
const UNIQUE_HEADERS = ['x-request-id', 'date'];

let keywright: Keywright;
let refused: Readonly<Record<string, RefusedLogin>>;

before(async () => {
  keywright = await startKeywright({ passwords: 'real' });
  refused = await refusedLogins(keywright);
});

after(() => keywright.close());

/** All parts of a response that are visible to a caller, except those unique to it. */
function visible({ status, headers, text }: Answer<unknown>): string {
  const seen = Object.entries(headers).filter(([name]) => !UNIQUE_HEADERS.includes(name));
  return JSON.stringify([status, seen, text]);
}

// `npm run faults -- timing` compares their duration.
describe('a rejected login does not disclose the reason (SPEC errors body 1)', () => {
  test('A rejected login does not disclose the reason by its bytes or its work: a hash, and the same statements', async () => {
    const meter = startMeter(keywright);
    try {
      const seen = new Set<string>();
      const work: object[] = [];
      for (const kind of Object.values(refused)) {
        const { answer, ...cost } = await meter.measure(() => logIn(kind));
        seen.add(visible(answer));
        assert.equal(cost.hashes, 1);
        work.push(workOf(cost));
      }
      assert.equal(seen.size, 1, [...seen].join('\n'));
      for (const cost of work) assert.deepEqual(cost, work[0]);
    } finally {
      meter.stop();
    }
  });

  test('A rejected login has the documented error 401 INVALID_CREDENTIALS, whatever the reason', async () => {
    for (const kind of Object.values(refused)) {
      assertRefused(await logIn(kind), '401 INVALID_CREDENTIALS');
    }
  });
});

describe('a rejected registration does not disclose who exists', () => {
  for (const [what, secret] of [
    ['too short', 'short'],
    ['too common', 'passwordpassword'],
  ] as const) {
    test(`A registration with a secret that is ${what} gets one answer and costs one hash, whether the user exists or not`, async () => {
      const seen = new Set<string>();
      const { tenant, identifier: existing } = refused['a wrong secret'] as RefusedLogin;
      for (const identifier of [existing, newIdentifier(), UNKNOWN]) {
        const hashes = keywright.nodes[0]?.passwords.computed ?? 0;
        const answer = await logIn({ tenant, identifier, secret }, { register: true });
        assertRefused(answer, '400 VALIDATION_FAILED', ['/secret']);
        assert.equal(keywright.nodes[0]?.passwords.computed, hashes + 1);
        seen.add(visible(answer));
      }
      assert.equal(seen.size, 1);
    });
  }

  test('A registration that the tenant does not allow is rejected like the login of an unknown user', async () => {
    const closed = await keywright.tenant('closed', { config: { allow_registration: false } });
    const answer = await logIn(
      { tenant: closed, identifier: UNKNOWN, secret: newPassword() },
      { register: true },
    );
    assert.equal(visible(answer), visible(await logIn(refused['an unknown user'] as RefusedLogin)));
  });
});

describe('a login inside an application does not disclose who exists', () => {
  test('A login inside an application costs the same to start, or with a wrong password, whether the user exists or not', async () => {
    const tenant = await keywright.tenant('in-app-enumeration');
    const client = await newInAppClient(tenant);
    const [user, disabled] = [await tenant.createUser(), await tenant.createUser()];
    const token = await tenant.adminToken();
    const path = `/users/${disabled.user.id}/disable`;
    expectStatus(200, await tenant.request('POST', path, { token, body: { reason: 'left' } }));
    const meter = startMeter(keywright);
    try {
      const work: object[] = [];
      for (const { identifier } of [user, disabled, { identifier: newIdentifier() }]) {
        const login = new InApp(tenant, client);
        const started = await meter.measure(() => login.start({ login_hint: identifier }));
        const proven = await meter.measure(() => login.go({ password: 'wrong' }));
        assert.deepEqual([started.hashes, proven.hashes], [0, 1]);
        work.push([started, proven].map(workOf));
      }
      for (const entry of work) assert.deepEqual(entry, work[0]);
    } finally {
      meter.stop();
    }
  });
});
