// An address whose refreshes are rejected repeatedly is throttled, and no other address.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { pooled } from '@keywright/tests/harness/parallel';
import { type Statements, watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { counted } from '../../../tenancy/counters.ts';
import { MAX_REFUSED_REFRESHES } from './refresh-service.ts';

const NODES = [0, 1];

let keywright: Keywright;
let tenant: TestTenant;
let statements: Statements;

before(async () => {
  const env = { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
  keywright = await startKeywright({ nodes: NODES.length, clock: 'fake', env });
  tenant = await keywright.tenant('refused');
  statements = watchStatements({ untilAnswered: true });
});

after(async () => {
  statements.stop();
  await keywright.close();
});

function logIn(at = tenant): Promise<TokenAnswer> {
  return at.login(newIdentifier(), newPassword(), { extra: { register: true } });
}

type Refreshed = Answer<TokenAnswer & ErrorBody>;

function refresh(token: string, address: string, node = 0, at = tenant): Promise<Refreshed> {
  const options = { node, headers: { 'x-forwarded-for': address } };
  return at.request('POST', '/auth/refresh', { ...options, body: { refresh_token: token } });
}

const says = ({ status, body }: Refreshed) => `${status} ${body.code}`;

/** Sends rejected refreshes from one address to both nodes. @returns the distinct outcomes */
async function refusals(count: number, token: string, address: string): Promise<Set<string>> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const answers = await pooled(16, indexes, (index) =>
    refresh(token, address, index % NODES.length),
  );
  return new Set(answers.map(says));
}

describe('rejected refreshes', () => {
  test('Rejected refreshes throttle their address on every node, for valid tokens too; others are unaffected', async () => {
    const { refresh_token: over, access_token: token } = await logIn();
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token }));
    const address = '2001:db8:1:2::1';
    const most = await refusals(MAX_REFUSED_REFRESHES, over, address);
    assert.deepEqual(most, new Set(['401 TOKEN_INVALID']));
    const { refresh_token: good } = await logIn();
    for (const node of NODES) {
      const refused = await refresh(over, '2001:db8:1:2:ffff::2', node);
      assert.equal(says(refused), '429 TOO_MANY_ATTEMPTS');
      assert.ok(Number(refused.headers['retry-after']) > 0);
      assert.equal(says(await refresh(good, address, node)), '429 TOO_MANY_ATTEMPTS');
    }
    // Neither another address nor the same address in another tenant is throttled.
    const next = expectStatus(200, await refresh(good, '2001:db8:1:3::1'));
    const other = await keywright.tenant('elsewhere');
    expectStatus(200, await refresh((await logIn(other)).refresh_token, address, 0, other));
    keywright.clock.advance(61);
    expectStatus(200, await refresh(next.refresh_token, address));
  });

  test('The rejected refreshes of an address run no statement once that address is throttled', async () => {
    const [address, garbage] = ['192.0.2.7', 'not.a.token'];
    const most = await refusals(MAX_REFUSED_REFRESHES + NODES.length, garbage, address);
    assert.deepEqual(most, new Set(['401 TOKEN_INVALID', '429 TOO_MANY_ATTEMPTS']));
    for (const node of NODES) await refresh(garbage, address, node);
    const countBefore = statements.sent.length;
    assert.deepEqual(await refusals(20, garbage, address), new Set(['429 TOO_MANY_ATTEMPTS']));
    assert.deepEqual(statements.sent.slice(countBefore), []);
  });

  test('The throttle of rejected refreshes does not count those that succeed or are repeated', async () => {
    const address = '192.0.2.8';
    const { refresh_token: first } = await logIn();
    const countBefore = statements.sent.length;
    for (const _ of [1, 2, 3]) expectStatus(200, await refresh(first, address));
    assert.deepEqual(new Set(statements.sent.slice(countBefore)), new Set(['kw_refresh_sessions']));
  });

  for (const [network, failing, next, outside] of [
    ['2001:db8:7:100/56', '2001:db8:7:101::1', '2001:db8:7:1ff::1', '2001:db8:7:200::1'],
    ['2001:db8:8/48', '2001:db8:8:1::1', '2001:db8:8:ff01::1', '2001:db8:9:1::1'],
    ['198.51.100.0/24', '198.51.100.1', '198.51.100.2', '192.0.2.9'],
  ] as const) {
    test(`Rejected refreshes throttle further ones in ${network}, and no valid token there`, async () => {
      const limit = MAX_REFUSED_REFRESHES * (network.endsWith('/56') ? 4 : 16);
      await keywright.database.query(
        `INSERT INTO login_attempts (tenant_id, subject, window_started_at, window_ends_at, attempts)
         VALUES ($1, $2, $3, $3::timestamptz + interval '1 minute', $4)`,
        [tenant.id, counted('refresh', network), keywright.clock.now(), limit - 1],
      );
      const { refresh_token: valid } = await logIn();
      const rejected = async (address: string) => says(await refresh('not.a.token', address));
      assert.equal(await rejected(failing), '401 TOKEN_INVALID');
      assert.equal(await rejected(next), '429 TOO_MANY_ATTEMPTS');
      assert.equal(await rejected(outside), '401 TOKEN_INVALID');
      expectStatus(200, await refresh(valid, next));
    });
  }
});
