import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf, headerOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';

const NODES = 2;
const CLIENTS = 6;
const VERIFIERS = 5;
const STEP_SECONDS = 5;

let keywright: Keywright;
let tenant: TestTenant;
let random: Random;

before(async () => {
  keywright = await startKeywright({ nodes: NODES, clock: 'fake' });
  tenant = await keywright.tenant('loaded', { config: { login_attempts_limit: 10_000 } });
  random = seededRandom();
});

after(() => keywright.close());

const secondsNow = () => keywright.clock.now().getTime() / 1000;
const anyNode = () => random.between(0, NODES);

/**
 * A service that verifies tokens by a key set which it keeps for as long as the answer lets it, and not a
 * moment less: it never asks again because of a key that it does not know.
 */
class Verifier {
  readonly failures: string[] = [];
  verified = 0;
  fetches = 0;
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #goodUntil = 0;
  #fetching: Promise<void> | undefined;

  async verify(token: string): Promise<void> {
    if (secondsNow() >= this.#goodUntil) {
      this.#fetching ??= this.#fetch().finally(() => {
        this.#fetching = undefined;
      });
      await this.#fetching;
    }
    const { iss, aud, exp } = claimsOf(token);
    if (exp <= secondsNow() || !this.#keys) return;
    const options = { issuer: iss, audience: aud, typ: 'at+jwt', algorithms: ['EdDSA'] };
    const currentDate = keywright.clock.now();
    await jwtVerify(token, this.#keys, { ...options, currentDate }).then(
      () => (this.verified += 1),
      (error: Error) => this.failures.push(`${headerOf(token).kid}: ${error.message}`),
    );
  }

  /** Resolves when no key set is on its way: time goes by slower for messages than in this test. */
  async settled(): Promise<void> {
    await this.#fetching;
  }

  async #fetch(): Promise<void> {
    const path = '/.well-known/jwks.json';
    const answer = await tenant.request<JSONWebKeySet>('GET', path, { node: anyNode() });
    this.#keys = createLocalJWKSet(expectStatus(200, answer));
    const maxAge = /max-age=(\d+)/.exec(answer.headers['cache-control'] ?? '')?.[1];
    this.#goodUntil = secondsNow() + Number(maxAge);
    this.fetches += 1;
  }
}

interface Load {
  readonly tokens: string[];
  readonly verifiers: readonly Verifier[];
  isOver: boolean;
}

/** Refreshes again and again on any node; each new token, and an older one, goes to every verifier. */
async function client(load: Load): Promise<void> {
  const extra = { register: true };
  let login = await tenant.login(newIdentifier(), newPassword(), { node: anyNode(), extra });
  while (!load.isOver) {
    const options = { node: anyNode(), body: { refresh_token: login.refresh_token } };
    const answer = await tenant.request<TokenAnswer>('POST', '/auth/refresh', options);
    login = expectStatus(200, answer);
    load.tokens.push(login.access_token);
    const older = load.tokens[random.between(0, load.tokens.length)] ?? '';
    for (const verifier of load.verifiers) {
      await verifier.verify(login.access_token);
      await verifier.verify(older);
    }
  }
}

/** Lets the clock run, while the load goes on: some tokens are issued at every step. */
async function passTime(load: Load, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += STEP_SECONDS) {
    await Promise.all(load.verifiers.map((verifier) => verifier.settled()));
    keywright.clock.advance(STEP_SECONDS);
    const wanted = load.tokens.length + random.between(1, 4);
    await until('tokens are issued', () => load.tokens.length >= wanted);
  }
}

/** Rotates, and waits until every node has heard of it: less than a second, for which the clock stands. */
async function rotate(): Promise<SigningKeyRecord> {
  const options = { node: anyNode(), token: await tenant.adminToken() };
  const answer = await tenant.request<SigningKeyRecord>('POST', '/keys/rotate', options);
  const key = expectStatus(201, answer);
  for (let node = 0; node < NODES; node += 1) {
    const path = '/.well-known/jwks.json';
    const isPublished = async () =>
      (await tenant.request('GET', path, { node })).text.includes(key.id);
    await until(`node ${node} publishes the new key`, isPublished, 1000);
  }
  return key;
}

describe('rotations on two nodes under load', () => {
  test('no verifier that keeps the key set for its max-age ever refuses a token (SPEC authentication 4, SPEC authentication 2)', async (context) => {
    const load: Load = {
      tokens: [],
      verifiers: Array.from({ length: VERIFIERS }, () => new Verifier()),
      isOver: false,
    };
    const clients = parallel(CLIENTS, () => client(load));
    const kids: string[] = [];
    try {
      // Each keeps its key set from another moment on.
      for (const [index, verifier] of load.verifiers.entries()) {
        await until('a token is there', () => load.tokens.length > index);
        await verifier.verify(load.tokens[index] ?? '');
        await passTime(load, random.between(10, 90));
      }
      for (let rotation = 0; rotation < 3; rotation += 1) {
        kids.push((await rotate()).id);
        await passTime(load, 320 + random.between(0, 300));
      }
    } finally {
      load.isOver = true;
      await clients;
    }
    const failures = load.verifiers.flatMap((verifier) => verifier.failures);
    const verified = load.verifiers.reduce((sum, verifier) => sum + verifier.verified, 0);
    context.diagnostic(`${verified} verifications of ${load.tokens.length} tokens`);
    assert.deepEqual(failures.slice(0, 5), [], `${failures.length} failures, seed ${random.seed}`);
    const used = new Set(load.tokens.map((token) => headerOf(token).kid));
    assert.deepEqual([...used].slice(1), kids, 'each key has signed, one after the other');
    for (const { fetches } of load.verifiers) assert.ok(fetches > 3, `${fetches} fetches`);
    assert.ok(verified > 1000);
  });
});
