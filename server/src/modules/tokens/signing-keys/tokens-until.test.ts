// The time until which a signing key's tokens are accepted, as shown in its record.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SigningKeyId } from '@keywright/contract/ids';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { type KeyTimes, tokensUntil } from './key-ring.ts';

const DAY_SECONDS = 86_400;
const SKEW_SECONDS = 60;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('until', { config: { session_timeout: DAY_SECONDS } });
});

after(() => keywright.close());

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);

function key(name: string, from: number, retired?: number): KeyTimes {
  return {
    id: name as SigningKeyId,
    signs_from: at(from),
    retired_at: retired === undefined ? null : at(retired),
  };
}

for (const [title, keys, expected] of [
  ['open while none follows', [key('a', 0)], undefined],
  [
    'a day after the next one signs',
    [key('b', 100), key('a', 0)],
    100 + DAY_SECONDS + SKEW_SECONDS,
  ],
  [
    'a day after the first that followed',
    [key('c', 500), key('b', 100), key('a', 0)],
    100 + DAY_SECONDS + SKEW_SECONDS,
  ],
  ['the moment in which it was retired', [key('b', 100), key('a', 0, 200)], 200],
  [
    'not later, since it was retired after its tokens had expired',
    [key('b', 100), key('a', 0, 9 * DAY_SECONDS)],
    100 + DAY_SECONDS + SKEW_SECONDS,
  ],
  ['open if the next one never signed', [key('b', 100, 50), key('a', 0)], undefined],
] as const) {
  test(`The time until which tokens of a key are accepted is ${title}`, () => {
    const until = tokensUntil(keys, keys.at(-1) as KeyTimes);
    assert.deepEqual(until, expected === undefined ? undefined : at(expected));
  });
}

async function administer<Body>(method: string, path: string): Promise<Body> {
  const token = await tenant.adminToken();
  const { status, body } = await tenant.request<Body>(method, path, { token });
  assert.ok(status < 300, `${status}`);
  return body;
}

async function untilOf(id: string): Promise<string | null | undefined> {
  const { items } = await administer<{ items: SigningKeyRecord[] }>('GET', '/keys');
  return items.find((record) => record.id === id)?.tokens_until;
}

test('No access token of a key is accepted from the time in its record on', async () => {
  const { items } = await administer<{ items: SigningKeyRecord[] }>('GET', '/keys');
  const old = items[0]?.id ?? '';
  assert.equal(await untilOf(old), null);
  const next = await administer<SigningKeyRecord>('POST', '/keys/rotate');
  assert.equal(next.tokens_until, null);
  const tokensUntilMs = Date.parse((await untilOf(old)) ?? '');
  keywright.clock.advance(
    Math.floor((Date.parse(next.signs_from) - Number(keywright.clock.now())) / 1000) - 1,
  );
  const { access_token: last } = await tenant.login(newIdentifier(), newPassword(), {
    extra: { register: true },
  });
  const statusOfLast = async () => (await tenant.request('GET', '/me', { token: last })).status;
  keywright.clock.advance(DAY_SECONDS - 1);
  assert.equal(await statusOfLast(), 200);
  keywright.clock.advance(Math.ceil((tokensUntilMs - Number(keywright.clock.now())) / 1000));
  assert.equal(await statusOfLast(), 401);
  assert.equal(Date.parse((await untilOf(old)) ?? ''), tokensUntilMs);
});

test('Access tokens of a retired key are rejected from that moment on', async () => {
  const earlier = await administer<{ items: SigningKeyRecord[] }>('GET', '/keys');
  const current = earlier.items.find(({ state }) => state === 'current')?.id ?? '';
  await administer('POST', '/keys/rotate?immediately=true');
  // The administrator's next token is signed with the new key.
  keywright.clock.advance(400);
  await tenant.adminToken();
  const moment = keywright.clock.now().toISOString();
  expectStatus(
    200,
    await tenant.request('DELETE', `/keys/${current}`, { token: await tenant.adminToken() }),
  );
  assert.equal(await untilOf(current), moment);
});
