// Nodes whose signing keys are rotated, and services that verify the tokens that the nodes sign.

import type { KeyAlgorithm, SigningKeyRecord } from '@keywright/contract/records/signing-key';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { Random } from '../harness/random.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf, headerOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';

export const NODES = 2;

/** Two nodes that share a clock controlled by the scenario, and their tenant. */
export class Scene {
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

/** What a verifier requires of a token. */
export interface Demanded {
  readonly algorithm: KeyAlgorithm;
  readonly audience: string;
  readonly typ?: string;
}

/**
 * A service that verifies tokens with a key set cached for exactly its max-age: it never refetches because of an
 * unknown key.
 */
export class Verifier {
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

  async verify(token: string, { algorithm, audience, typ }: Demanded): Promise<void> {
    if (this.#scene.seconds >= this.#goodUntil) {
      this.#fetching ??= this.#fetch().finally(() => {
        this.#fetching = undefined;
      });
      await this.#fetching;
    }
    const { iss, exp } = claimsOf(token);
    if (exp <= this.#scene.seconds || !this.#keys) return;
    const options = { issuer: iss, audience, algorithms: [algorithm], ...(typ && { typ }) };
    const currentDate = this.#scene.now;
    await jwtVerify(token, this.#keys, { ...options, currentDate }).then(
      () => (this.verified += 1),
      (error: Error) => this.failures.push(`${headerOf(token).kid}: ${error.message}`),
    );
  }

  /** Resolves when no key set fetch is in progress, because this test's clock runs faster than messages. */
  async settled(): Promise<void> {
    await this.#fetching;
  }

  async #fetch(): Promise<void> {
    const path = '/.well-known/jwks.json';
    const node = this.#scene.anyNode();
    const requestedAt = this.#scene.seconds;
    const answer = await this.#scene.tenant.request<JSONWebKeySet>('GET', path, { node });
    this.#keys = createLocalJWKSet(expectStatus(200, answer));
    const maxAge = /max-age=(\d+)/.exec(answer.headers['cache-control'] ?? '')?.[1];
    this.#goodUntil = requestedAt + Number(maxAge);
    this.fetches += 1;
  }
}

interface Steps {
  readonly seconds: number;
  /** Waits at every step until the load has progressed. */
  readonly progress: () => Promise<void>;
}

/** Advances the clock, in steps, while the load continues. */
export async function passTime(
  scene: Scene,
  verifiers: readonly Verifier[],
  seconds: number,
  step: Steps,
): Promise<void> {
  for (let passed = 0; passed < seconds; passed += step.seconds) {
    await Promise.all(verifiers.map((verifier) => verifier.settled()));
    scene.keywright.clock.advance(step.seconds);
    await step.progress();
  }
}

/** Rotates, and waits until every node is notified: less than a second, while the clock is stopped. */
export async function rotate(scene: Scene, algorithm: KeyAlgorithm): Promise<SigningKeyRecord> {
  const { tenant } = scene;
  const options = { node: scene.anyNode(), token: await tenant.adminToken() };
  const at = `/keys/rotate?algorithm=${algorithm}`;
  const key = expectStatus(201, await tenant.request<SigningKeyRecord>('POST', at, options));
  for (let node = 0; node < NODES; node += 1) {
    const path = '/.well-known/jwks.json';
    const isPublished = async () =>
      (await tenant.request('GET', path, { node })).text.includes(key.id);
    await until(`node ${node} publishes the new key`, isPublished, 1000);
  }
  return key;
}
