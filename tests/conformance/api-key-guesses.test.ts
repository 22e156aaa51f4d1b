import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mintApiKey } from '@keywright/server/modules/api-keys/secret';
import type { Answer } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { pooled } from '../harness/parallel.ts';
import { seededRandom } from '../harness/random.ts';
import { watchStatements } from '../harness/statements.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { assertRefused } from './refusal.ts';

const GUESSES = 10_000;
const TOLERANCE = 0.05;
const BLOCK = 200;
const MOST_ROUNDS = 4000;
/** What differs between any two answers. */
const OWN_HEADERS = ['x-request-id', 'date'];

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('guessed', { config: { login_attempts_limit: 10_000 } });
  other = await keywright.tenant('guessed-2');
});

after(() => keywright.close());

function present(key: string): Promise<Answer<unknown>> {
  return tenant.request('GET', '/me', { token: key });
}

describe('a guessed API key', () => {
  /** Keys with a character changed, left out, put in or swapped, and inventions. */
  function malformed(count: number): string[] {
    const random = seededRandom();
    const letter = () => String.fromCharCode(97 + random.between(0, 26));
    const damage = [
      (key: string, at: number) => key.slice(0, at) + letter() + key.slice(at + 1),
      (key: string, at: number) => key.slice(0, at) + key.slice(at + 1),
      (key: string, at: number) => key.slice(0, at) + letter() + key.slice(at),
      (key: string, at: number) =>
        key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2),
      (_: string, at: number) => `svc_sk_${letter().repeat(at)}`,
    ];
    const made: string[] = [];
    while (made.length < count) {
      const key = mintApiKey();
      const change = damage[made.length % damage.length];
      const damaged = change?.(key, random.between(7, key.length - 1)) ?? '';
      if (damaged !== key) made.push(damaged);
    }
    return made;
  }

  test('that is mistyped costs no query of the database: 10,000 of them', async () => {
    // The tenant is known from now on.
    await present(mintApiKey());
    const statements = watchStatements();
    try {
      const answers = await pooled(16, malformed(GUESSES), present);
      assert.equal(answers.filter((answer) => answer.status === 401).length, GUESSES);
      assert.deepEqual(statements.sent, []);
      await present(mintApiKey());
      assert.deepEqual(statements.sent, ['kw_find_api_keys']);
    } finally {
      statements.stop();
    }
  });

  /** Keys that are well formed and not good, by why. */
  async function wrongKeys(): Promise<ReadonlyMap<string, () => string>> {
    const token = await tenant.adminToken();
    const revoked = await tenant.createAgent();
    await tenant.request('DELETE', `/apikeys/${revoked.record.id}`, { token });
    const expired = await tenant.createAgent();
    await keywright.database.query('UPDATE api_keys SET expires_at = created_at WHERE id = $1', [
      expired.record.id,
    ]);
    const idle = await tenant.createAgent();
    const change = { token, body: { is_active: false } };
    await tenant.request('PATCH', `/agents/${idle.agent.id}`, change);
    const foreign = await other.createAgent();
    const elsewhere = await tenant.createAgent({}, { allowed_ips: ['192.0.2.1'] });
    return new Map([
      ['an unknown key', mintApiKey],
      ['a revoked key', () => revoked.key],
      ['an expired key', () => expired.key],
      ['a key of an inactive agent', () => idle.key],
      ['a key of another tenant', () => foreign.key],
      ['a key that is good from elsewhere', () => elsewhere.key],
    ]);
  }

  /*
   * As with logins, each round tries every kind once, in a random order, and compares it with an unknown key
   * of the same round. A look-up is far shorter than a hash, so that what else the machine does is most of
   * what is measured: rounds go on until the median is known well enough to tell that it is within 5 %.
   */
  test('does not tell by its bytes nor by its time why it is none: medians within 5 %', async () => {
    const random = seededRandom();
    const kinds = await wrongKeys();
    const answers = new Set<string>();
    const ratios = new Map([...kinds.keys()].map((kind): [string, number[]] => [kind, []]));
    const isSettled = () => [...ratios.values()].every(isWithin);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (round > 0 && round % BLOCK === 0 && isSettled()) break;
      const times = new Map<string, number>();
      for (const [kind, key] of random.shuffled([...kinds])) {
        const text = key();
        const start = performance.now();
        const answer = await present(text);
        times.set(kind, performance.now() - start);
        answers.add(visible(answer));
      }
      const unknown = times.get('an unknown key') ?? 0;
      for (const [kind, time] of times) ratios.get(kind)?.push(time / unknown);
    }
    assert.equal(answers.size, 1, [...answers].join('\n'));
    assertRefused(await present(mintApiKey()), '401 TOKEN_INVALID');
    for (const [kind, all] of ratios) {
      const difference = quantile(all, 0.5) - 1;
      const told = `${kind} takes ${(difference * 100).toFixed(1)} % longer (seed ${random.seed})`;
      assert.ok(Math.abs(difference) <= TOLERANCE, told);
    }
  });
});

/** Whether the median is within the tolerance: the whole interval that it is in but once in 300 times. */
function isWithin(ratios: readonly number[]): boolean {
  const half = 1.5 / Math.sqrt(ratios.length);
  return [0.5 - half, 0.5 + half].every((at) => Math.abs(quantile(ratios, at) - 1) <= TOLERANCE);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, another) => one - another);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.floor(sorted.length * share)))] ?? 0;
}

/** All that a caller sees of an answer, but what belongs to that one answer. */
function visible({ status, headers, text }: Answer<unknown>): string {
  const seen = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name));
  return JSON.stringify([status, seen, text]);
}
