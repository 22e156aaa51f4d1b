import assert from 'node:assert/strict';
import type { ForeignHashes } from '@keywright/server/tenancy/tenant';
import { decoyFor } from '@keywright/server/modules/authentication/passwords/password-policy';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { bcryptOf } from '../harness/foreign-passwords.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { Random } from '../harness/random.ts';
import type { TestTenant } from '../harness/tenant.ts';
import type { Figures, Run, Scenario } from './scenario.ts';
import { welchT } from './welch.ts';

/** Users of each kind. */
const USERS = 20;
const WARM_UP = 20;
/** Two durations differ if |t| exceeds this value (Goodwill et al. 2011, on leakage tests). */
const MOST_T = 4.5;

/** Identifiers by kind. Each round tries a random identifier of each kind. */
type Kinds = Readonly<Record<string, readonly string[]>>;
/** Kinds whose durations must be equal. */
const PAIRS = [
  ['imported', 'unknown, as if imported'],
  ['native', 'unknown, as if native'],
  ['known', 'unknown'],
  ['imported', 'imported, again'],
] as const;

/** The duration of a rejected login does not disclose who was imported. */
export const importTiming: Scenario = {
  name: 'import-timing',
  about: `refused logins while half of the users have bcrypt hashes, Welch's |t| < ${MOST_T}; a round is one of each kind`,
  rounds: 500,
  async run({ random, rounds, say }: Run) {
    const keywright = await startKeywright({ passwords: 'real' });
    try {
      const tenant = await keywright.tenant('timed', { config: { login_attempts_limit: 10_000 } });
      const kinds = await openAccounts(keywright, tenant);
      await measure(tenant, kinds, random, WARM_UP);
      return judge(await measure(tenant, kinds, random, rounds, say));
    } finally {
      await keywright.close();
    }
  },
};

async function openAccounts(keywright: Keywright, tenant: TestTenant): Promise<Kinds> {
  const imported = Array.from({ length: USERS }, newIdentifier);
  const password = await bcryptOf(newPassword(), 10);
  const lines = imported.map((identifier) => ({ identifiers: [{ identifier }], password }));
  const native: string[] = [];
  // Including the tenant's administrator, there are as many native users as imported ones.
  const token = await tenant.adminToken();
  while (native.length < USERS - 1) native.push((await tenant.createUser()).identifier);
  const answer = await tenant.request('POST', '/users/import', {
    token,
    rawBody: lines.map((line) => JSON.stringify(line)).join('\n'),
    contentType: 'application/x-ndjson',
  });
  assert.equal(expectStatus(200, answer)['created'], USERS);
  const [row] = await keywright.database.query<{ foreign_hashes: ForeignHashes }>(
    'SELECT foreign_hashes FROM tenants WHERE tenant_id = $1',
    [tenant.id],
  );
  const unknown = Array.from({ length: 20 * USERS }, newIdentifier);
  const isSlow = (identifier: string) => decoyFor(row?.foreign_hashes, identifier) !== undefined;
  return {
    imported,
    'imported, again': imported,
    native,
    known: [...imported, ...native],
    unknown,
    'unknown, as if imported': unknown.filter(isSlow),
    'unknown, as if native': unknown.filter((identifier) => !isSlow(identifier)),
  };
}

/** In each round every kind once, in a random order, one request at a time. */
async function measure(
  tenant: TestTenant,
  kinds: Kinds,
  random: Random,
  rounds: number,
  say?: (line: string) => void,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const durations = new Map(Object.keys(kinds).map((kind): [string, number[]] => [kind, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, identifiers] of random.shuffled(Object.entries(kinds))) {
      const [identifier = ''] = random.shuffled(identifiers);
      const body = { identifier, secret: 'not the password' };
      const startedAt = performance.now();
      const { status } = await tenant.request('POST', '/auth/login', { body });
      durations.get(kind)?.push(performance.now() - startedAt);
      assert.equal(status, 401);
    }
    if ((round + 1) % 100 === 0) say?.(`${round + 1} of ${rounds}`);
  }
  return durations;
}

function judge(durations: ReadonlyMap<string, readonly number[]>): Figures {
  const figures: Record<string, number> = {};
  for (const [kind, other] of PAIRS) {
    const t = welchT(durations.get(kind) ?? [], durations.get(other) ?? []);
    figures[`${kind} and ${other}`] = Number(t.toFixed(2));
  }
  const differing = Object.entries(figures).filter(([, t]) => Math.abs(t) >= MOST_T);
  assert.deepEqual(differing, [], JSON.stringify(figures, undefined, 1));
  return figures;
}
