import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test, type TestContext } from 'node:test';
import { deflateSync } from 'node:zlib';
import { attacker, base64url, signed, withPart } from '../conformance/token-forge.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { followStatus, listClaimsOf } from '../harness/status.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { headerOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { answering, type ServiceProxy, startServiceProxy } from '../harness/service-proxy.ts';
import { type RemoteVerifier, startVerifiers, type VerifierProcess } from '../harness/verifiers.ts';

const BASE_URL = 'https://id.example.com';
const MINUTE = 60;
const DAY = 86_400;
const LIST_TYPE = 'application/statuslist+jwt';

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;
let others: VerifierProcess;
let proxy: ServiceProxy;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  const config = { session_timeout: DAY };
  tenant = await keywright.tenant('harbour', { config });
  other = await keywright.tenant('island', { config });
});

after(() => keywright.close());

beforeEach(async (t) => {
  others = startVerifiers();
  await others.advance((keywright.clock.now().getTime() - Date.now()) / 1000);
  proxy = await startServiceProxy(keywright.url);
  (t as TestContext).after(async () => {
    await others.close();
    await proxy.goDown();
  });
});

/** Advances the clocks of the service and of the verifiers. */
async function pass(seconds: number): Promise<void> {
  keywright.clock.advance(seconds);
  await others.advance(seconds);
}

function pathOf(of: TestTenant, what: string): string {
  return `/t/${of.id}/status/${what}`;
}

function verifierWith(options: object = {}): Promise<RemoteVerifier> {
  const [issuer, address] = [BASE_URL, proxy.url].map((url) => `${url}/t/${tenant.id}`);
  return others.create({ issuer: String(issuer), ...(address && { address }), ...options });
}

/** The current list of the service. */
async function listOf(of: TestTenant): Promise<string> {
  const answer = await keywright.request('GET', pathOf(of, '0'));
  assert.equal(answer.status, 200);
  return answer.text;
}

async function logOut(token: string): Promise<void> {
  expectStatus(200, await tenant.request('POST', '/auth/logout', { token }));
}

/** Two tokens; the second one is revoked, and all verifiers know it. */
async function goodAndRevoked(
  ...verifiers: readonly RemoteVerifier[]
): Promise<readonly [good: string, revoked: string]> {
  const [{ token: good }, { token: revoked }] = [
    await tenant.createUser(),
    await tenant.createUser(),
  ];
  for (const verifier of verifiers)
    assert.deepEqual(await verifier.verify(good, revoked), ['good', 'good']);
  await logOut(revoked);
  for (const verifier of verifiers) {
    await until('it is notified', async () => {
      await pass(1);
      return (await verifier.verify(revoked))[0] === 'TOKEN_INVALID revoked';
    });
  }
  return [good, revoked];
}

describe('while the service is unreachable for an hour', () => {
  test('Each verifier follows its policy while the service is unreachable, and is up to date when the service is back', async () => {
    const usual = await verifierWith();
    const lenient = await verifierWith({ onStale: 'allow' });
    const patient = await verifierWith({ maxStaleSeconds: 2 * 60 * MINUTE });
    const all = [usual, lenient, patient];
    const { token: late } = await tenant.createUser();
    const { token: unseen } = await tenant.createUser();
    const [good, revoked] = await goodAndRevoked(...all);
    await proxy.goDown();
    await pass(13 * MINUTE);
    for (const verifier of all) {
      const outcomes = await verifier.verify(good, unseen, revoked);
      assert.deepEqual(outcomes, ['good', 'good', 'TOKEN_INVALID revoked']);
    }
    await pass(4 * MINUTE);
    const stale = ['UNAVAILABLE status_stale', 'TOKEN_INVALID revoked'];
    assert.deepEqual(await usual.verify(good, revoked), stale);
    await logOut(late);
    await pass(43 * MINUTE);
    for (const outcome of await usual.verify(good, late, revoked)) {
      assert.match(outcome, /^(UNAVAILABLE|TOKEN_INVALID) /);
    }
    for (const verifier of [lenient, patient]) {
      const outcomes = await verifier.verify(good, late, revoked);
      assert.deepEqual(outcomes, ['good', 'good', 'TOKEN_INVALID revoked']);
    }
    await proxy.goUp();
    for (const verifier of all) {
      await until('it is notified of what it missed', async () => {
        await pass(1);
        return (await verifier.verify(late))[0] === 'TOKEN_INVALID revoked';
      });
      assert.deepEqual(await verifier.verify(good, revoked), ['good', 'TOKEN_INVALID revoked']);
    }
  });

  test('A replayed status stream is not considered current', async () => {
    const path = pathOf(tenant, 'stream');
    const stream = await followStatus(keywright.url, path);
    const verifier = await verifierWith();
    const [good, revoked] = await goodAndRevoked(verifier);
    const { events } = stream;
    await until('there is something to play', () => events.length >= 2);
    const recorded = events.map(({ id, event, token }) => {
      return `id: ${id}\nevent: ${event}\ndata: ${token}\n\n`;
    });
    stream.close();
    await proxy.goDown();
    proxy.instead.set(pathOf(tenant, '0'), (_incoming, response) => response.destroy());
    proxy.instead.set(path, (_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(recorded.join(''));
    });
    const requestCount = () =>
      proxy.requestedPaths.filter((requested) => requested === path).length;
    const countBefore = requestCount();
    await pass(17 * MINUTE);
    await proxy.goUp();
    // The verifier requests the stream again only after it has read the replay.
    await until('it is played to its end', () => requestCount() > countBefore + 1);
    const stale = ['UNAVAILABLE status_stale', 'TOKEN_INVALID revoked'];
    assert.deepEqual(await verifier.verify(good, revoked), stale);
  });
});

interface Wrong {
  readonly code: string;
  readonly make: (list: string) => string | Promise<string>;
}

/** Forged claims of a list without revocations. */
function allClear(list: string) {
  const { version, ...claims } = listClaimsOf(list);
  const lst = deflateSync(Buffer.alloc(16_384)).toString('base64url');
  return { ...claims, version: version + 1, status_list: { bits: 1, lst } };
}

/** Forged lists, derived from the service's current list. */
const WRONG: Readonly<Record<string, Wrong>> = {
  'signed with another key under the name of the right one': {
    code: 'STATUS_INVALID',
    make: (list) => signed(attacker.privateKey, headerOf(list), allClear(list)),
  },
  'with other contents under the right signature': {
    code: 'STATUS_INVALID',
    make: (list) => withPart(list, 1, () => base64url(allClear(list))),
  },
  'of another tenant': { code: 'STATUS_INVALID', make: () => listOf(other) },
};

describe('a list is not accepted', () => {
  for (const [what, { code, make }] of Object.entries(WRONG)) {
    test(what, async () => {
      const knowing = await verifierWith({ status: 'poll' });
      const [good, revoked] = await goodAndRevoked(knowing);
      const wrong = await make(await listOf(tenant));
      proxy.instead.set(pathOf(tenant, '0'), answering(LIST_TYPE, wrong));
      await pass(MINUTE);
      assert.deepEqual(await knowing.verify(good, revoked), ['good', 'TOKEN_INVALID revoked']);
      assert.deepEqual(new Set(await knowing.problems()), new Set([code]));
      const starting = await verifierWith({ status: 'poll' });
      const refused = 'UNAVAILABLE status_unavailable';
      assert.deepEqual(await starting.verify(good, revoked), [refused, refused]);
      assert.deepEqual(new Set(await starting.problems()), new Set([code]));
    });
  }

  test('A status list that is older than the previous one, or than an hour, is not accepted', async () => {
    const old = await listOf(tenant);
    const knowing = await verifierWith({ status: 'poll' });
    const [good, revoked] = await goodAndRevoked(knowing);
    proxy.instead.set(pathOf(tenant, '0'), answering(LIST_TYPE, old));
    await pass(MINUTE);
    assert.deepEqual(await knowing.verify(good, revoked), ['good', 'TOKEN_INVALID revoked']);
    assert.deepEqual(new Set(await knowing.problems()), new Set(['STATUS_REPLAYED']));
    await pass(60 * MINUTE);
    const starting = await verifierWith({ status: 'poll' });
    const refused = 'UNAVAILABLE status_unavailable';
    assert.deepEqual(await starting.verify(good, revoked), [refused, refused]);
    assert.deepEqual(new Set(await starting.problems()), new Set(['STATUS_REPLAYED']));
  });
});
