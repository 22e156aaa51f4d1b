import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mintApiKey } from '@keywright/server/modules/machines/agents/api-key-authentication';
import type { Answer } from '../harness/http.ts';
import { startMeter, workOf } from '../costs/meter.ts';
import { GOOD_ELSEWHERE, wrongKeys } from '../faults/wrong-keys.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { pooled } from '../harness/parallel.ts';
import { seededRandom } from '../harness/random.ts';
import { watchStatements } from '../harness/statements.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { assertRefused } from './refusal.ts';

const GUESSES = 10_000;
const SINGLE_LOOKUP = {
  statements: ['kw_find_api_keys'],
  signatures: 0,
  verifications: 0,
  hashes: 0,
};
/** Headers that differ between any two responses. */
const UNIQUE_HEADERS = ['x-request-id', 'date'];

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('guessed', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

/** The tenant is reloaded once the node is notified of its creation. */
const isOfKeys = (name: string) => name !== 'kw_load_tenant_and_providers';

function present(key: string): Promise<Answer<unknown>> {
  return tenant.request('GET', '/me', { token: key });
}

describe('a guessed API key', () => {
  /** Keys with a character changed, removed, inserted or swapped, and invented ones. */
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

  test('No mistyped API key out of 10,000 costs a database query', async () => {
    // Caches the tenant.
    await present(mintApiKey());
    const statements = watchStatements();
    try {
      const answers = await pooled(16, malformed(GUESSES), present);
      assert.equal(answers.filter((answer) => answer.status === 401).length, GUESSES);
      assert.deepEqual(statements.sent.filter(isOfKeys), []);
      await present(mintApiKey());
      assert.deepEqual(statements.sent.filter(isOfKeys), ['kw_find_api_keys']);
    } finally {
      statements.stop();
    }
  });

  // `npm run faults -- timing` compares their duration.
  test('A guessed API key is always rejected with the same bytes and the same work: one lookup', async () => {
    const meter = startMeter(keywright);
    try {
      const seen = new Set<string>();
      for (const [kind, key] of Object.entries(await wrongKeys(keywright, tenant))) {
        const { answer, ...cost } = await meter.measure(() => present(key()));
        seen.add(visible(answer));
        // The allowed addresses are in the key's record, which is read only for a caller who has the key.
        if (kind === GOOD_ELSEWHERE) continue;
        assert.deepEqual(workOf(cost), SINGLE_LOOKUP, kind);
      }
      assert.equal(seen.size, 1, [...seen].join('\n'));
      assertRefused(await present(mintApiKey()), '401 TOKEN_INVALID');
    } finally {
      meter.stop();
    }
  });
});

/** All parts of a response that are visible to a caller, except those unique to it. */
function visible({ status, headers, text }: Answer<unknown>): string {
  const seen = Object.entries(headers).filter(([name]) => !UNIQUE_HEADERS.includes(name));
  return JSON.stringify([status, seen, text]);
}
