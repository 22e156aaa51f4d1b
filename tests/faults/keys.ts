import assert from 'node:assert/strict';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { startKeywright } from '../harness/keywright.ts';
import { parallel } from '../harness/parallel.ts';
import { claimsOf, headerOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { type Demanded, NODES, passTime, rotate, Scene, Verifier } from './key-rotation.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const CLIENTS = 6;
const VERIFIERS = 5;
const LONG_SECONDS = 90 * 24 * 3600;

interface Load {
  readonly tokens: string[];
  readonly verifiers: readonly Verifier[];
  isOver: boolean;
}

/** Refreshes continuously on any node. Every verifier gets each new token and an older one. */
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
      await verifier.verify(login.access_token, demandedOf(login.access_token));
      await verifier.verify(older, demandedOf(older));
    }
  }
}

function demandedOf(token: string): Demanded {
  return { algorithm: 'EdDSA', audience: claimsOf(token).aud, typ: 'at+jwt' };
}

/** Waits at every step until some tokens were issued. */
async function moreTokens({ random }: Scene, { tokens }: Load): Promise<void> {
  const target = tokens.length + random.between(1, 4);
  await until('tokens are issued', () => tokens.length >= target);
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
  const step = { seconds: 5, progress: () => moreTokens(scene, load) };
  const pass = (seconds: number) => passTime(scene, load.verifiers, seconds, step);
  // Each fetches its key set at a different time.
  for (const [index, verifier] of load.verifiers.entries()) {
    await until('a token is there', () => load.tokens.length > index);
    const token = load.tokens[index] ?? '';
    await verifier.verify(token, demandedOf(token));
    await pass(random.between(10, 90));
  }
  const kids: string[] = [];
  for (let rotation = 0; rotation < rounds; rotation += 1) {
    kids.push((await rotate(scene, 'EdDSA')).id);
    await pass(320 + random.between(0, 300));
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
