import assert from 'node:assert/strict';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import type { Random } from '../harness/random.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf, headerOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const NODES = 2;
const CLIENTS = 6;
const VERIFIERS = 5;
const STEP_SECONDS = 5;
const LONG_SECONDS = 90 * 24 * 3600;

/** Two nodes that share a clock controlled by the scenario, and their tenant. */
class Scene {
  readonly keywright: Keywright;
  readonly tenant: TestTenant;
  readonly random: Random;

  constructor(keywright: Keywright, tenant: TestTenant, random: Random) {
    this.keywright = keywright;
    this.tenant = tenant;
    this.random = random;
  }

  get now(): Date {
    return this.keywright.clock.now();
  }

  get seconds(): number {
    return this.now.getTime() / 1000;
  }

  anyNode(): number {
    return this.random.between(0, NODES);
  }
}

/**
 * A service that verifies tokens with a key set cached for exactly its max-age: it never refetches because of an
 * unknown key.
 */
class Verifier {
  readonly failures: string[] = [];
  verified = 0;
  fetches = 0;
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #goodUntil = 0;
  #fetching: Promise<void> | undefined;
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  async verify(token: string): Promise<void> {
    if (this.#scene.seconds >= this.#goodUntil) {
      this.#fetching ??= this.#fetch().finally(() => {
        this.#fetching = undefined;
      });
      await this.#fetching;
    }
    const { iss, aud, exp } = claimsOf(token);
    if (exp <= this.#scene.seconds || !this.#keys) return;
    const options = { issuer: iss, audience: aud, typ: 'at+jwt', algorithms: ['EdDSA'] };
    const currentDate = this.#scene.now;
    await jwtVerify(token, this.#keys, { ...options, currentDate }).then(
      () => (this.verified += 1),
      (error: Error) => this.failures.push(`${headerOf(token).kid}: ${error.message}`),
    );
  }

  /** Resolves when no key set is being fetched: this test's clock runs faster than messages. */
  async settled(): Promise<void> {
    await this.#fetching;
  }

  async #fetch(): Promise<void> {
    const path = '/.well-known/jwks.json';
    const node = this.#scene.anyNode();
    const answer = await this.#scene.tenant.request<JSONWebKeySet>('GET', path, { node });
    this.#keys = createLocalJWKSet(expectStatus(200, answer));
    const maxAge = /max-age=(\d+)/.exec(answer.headers['cache-control'] ?? '')?.[1];
    this.#goodUntil = this.#scene.seconds + Number(maxAge);
    this.fetches += 1;
  }
}

interface Load {
  readonly tokens: string[];
  readonly verifiers: readonly Verifier[];
  isOver: boolean;
}

/** Refreshes continuously on any node; each new token, and an older one, goes to every verifier. */
async function client(scene: Scene, load: Load): Promise<void> {
  const { tenant, random } = scene;
  const first = { node: scene.anyNode(), extra: { register: true } };
  let login = await tenant.login(newIdentifier(), newPassword(), first);
  while (!load.isOver) {
    const options = { node: scene.anyNode(), body: { refresh_token: login.refresh_token } };
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
async function passTime(scene: Scene, load: Load, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += STEP_SECONDS) {
    await Promise.all(load.verifiers.map((verifier) => verifier.settled()));
    scene.keywright.clock.advance(STEP_SECONDS);
    const wanted = load.tokens.length + scene.random.between(1, 4);
    await until('tokens are issued', () => load.tokens.length >= wanted);
  }
}

/** Rotates, and waits until every node is notified: less than a second, during which the clock stands still. */
async function rotate(scene: Scene): Promise<SigningKeyRecord> {
  const { tenant } = scene;
  const options = { node: scene.anyNode(), token: await tenant.adminToken() };
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

/**
 * Signing keys are rotated while tokens are issued, and verified by services that cache the key set as long as allowed.
 */
export const keys: Scenario = {
  name: 'keys',
  about: 'signing keys rotated under load, on two nodes; a round is a rotation',
  rounds: 30,
  run: rotateUnderLoad,
};

export async function rotateUnderLoad(run: Run): Promise<Figures> {
  const keywright = await startKeywright({ nodes: NODES, clock: 'fake' });
  try {
    const config = { login_attempts_limit: 10_000, refresh_token_absolute_ttl: LONG_SECONDS };
    const scene = new Scene(keywright, await keywright.tenant('loaded', { config }), run.random);
    const load: Load = {
      tokens: [],
      verifiers: Array.from({ length: VERIFIERS }, () => new Verifier(scene)),
      isOver: false,
    };
    const clients = parallel(CLIENTS, () => client(scene, load));
    try {
      const kids = await rotateAll(scene, load, run);
      return judge(load, kids);
    } finally {
      load.isOver = true;
      await clients;
    }
  } finally {
    await keywright.close();
  }
}

/** @returns the keys in order of creation */
async function rotateAll(scene: Scene, load: Load, { random, rounds, say }: Run) {
  // Each fetches its key set at a different time.
  for (const [index, verifier] of load.verifiers.entries()) {
    await until('a token is there', () => load.tokens.length > index);
    await verifier.verify(load.tokens[index] ?? '');
    await passTime(scene, load, random.between(10, 90));
  }
  const kids: string[] = [];
  for (let rotation = 0; rotation < rounds; rotation += 1) {
    kids.push((await rotate(scene)).id);
    await passTime(scene, load, 320 + random.between(0, 300));
    say(`${rotation + 1} of ${rounds}: ${load.tokens.length} tokens issued`);
  }
  return kids;
}

function judge({ tokens, verifiers }: Load, kids: readonly string[]): Figures {
  const failures = verifiers.flatMap((verifier) => verifier.failures);
  assert.deepEqual(failures.slice(0, 5), [], `${failures.length} failures`);
  const used = new Set(tokens.map((token) => headerOf(token).kid));
  assert.deepEqual([...used].slice(1), kids, 'each key has signed, one after the other');
  for (const { fetches } of verifiers) assert.ok(fetches > kids.length, `${fetches} fetches`);
  const verified = verifiers.reduce((sum, verifier) => sum + verifier.verified, 0);
  assert.ok(verified > tokens.length);
  return { rotations: kids.length, tokens: tokens.length, verified, failures: failures.length };
}
