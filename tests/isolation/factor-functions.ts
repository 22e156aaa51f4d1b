import assert from 'node:assert/strict';
import { startPasskey } from '../../server/sql/authentication/kw_start_passkey.ts';
import { takePasskey } from '../../server/sql/authentication/kw_take_passkey.ts';
import { useTotp } from '../../server/sql/authentication/kw_use_totp.ts';
import { type Check, NOW, type Tested } from './function-check.ts';
import type { Seeded } from './seed.ts';

const CHALLENGE = Buffer.from('challenge');
const SOON = new Date(NOW.getTime() + 60_000);
const [RIGHT, NEXT] = [Buffer.from('right'), Buffer.from('next')];

/** A guess at the factors of a user: 2 an hour, 5 in a challenge, 3 wrong ones in a row. */
function guessOf(where: Seeded, whose: Seeded, challenge: Buffer = CHALLENGE): unknown[] {
  return [where.tenantId, whose.userId, whose.subject, 100, 60, challenge, 5, 3, NOW];
}

function addCodes({ asOwner }: Tested, { tenantId, userId }: Seeded): Promise<unknown> {
  const codes = `ARRAY['\\x${RIGHT.toString('hex')}'::bytea]`;
  return asOwner(
    `INSERT INTO user_factors (tenant_id, id, user_id, type, name, created_at, confirmed_at, recovery_codes)
     VALUES ('${tenantId}', 'fct_codes', '${userId}', 'recovery_codes', 'a', now(), now(), ${codes})`,
  );
}

const PASSKEY = 'fct_passkey';
const CREDENTIAL = Buffer.from('credential');

function addPasskey({ asOwner }: Tested, { tenantId, userId }: Seeded): Promise<unknown> {
  const bytes = `'\\x${CREDENTIAL.toString('hex')}'`;
  return asOwner(
    `INSERT INTO user_factors (tenant_id, id, user_id, type, name, created_at, confirmed_at, credential_id, public_key,
       algorithm, cose_key, rp_id, counter, backup_eligible, backed_up, transports, aaguid, user_handle)
     VALUES ('${tenantId}', '${PASSKEY}', '${userId}', 'passkey', 'a', now(), now(), ${bytes}, ${bytes}, -7, ${bytes},
       'example.com', 0, false, false, '{}', 'none', ${bytes})`,
  );
}

/** The arguments of kw_start_passkey for a flow in a tenant, and others. */
function flowOf(
  { tenantId: tenant }: Seeded,
  { flowId: flow, subject: tokenHash }: Seeded,
  others = {},
) {
  const challenge = { challengeHash: CHALLENGE, limit: 9, now: NOW, expiresAt: SOON };
  return { tenant, flow, tokenHash, ...challenge, ...others };
}

/** The functions that check second factors. */
export const FACTOR_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_guess_totps: async ({ local, foreign, rows }) => {
    const users = [local, foreign, local, local, local, local].map(({ userId }) => userId);
    const guess = async (challenge: string) => {
      const found = await rows(
        'kw_guess_totps($1, $2, $3, $4, $5, 20, 60, 5, $6)',
        users.map(() => local.tenantId),
        users,
        users.map((userId) => Buffer.from(userId)),
        users.map((userId) => Buffer.from(`${challenge} ${userId}`)),
        users.map(() => NOW),
        users.map(() => 3),
      );
      return found.map((row) => [row['place'], row['is_spent'], row['factor_id'], row['failures']]);
    };
    // The fourth and fifth guess find the factor suspended.
    assert.deepEqual(await guess('a'), [
      [1, false, local.factorId, 1],
      [3, false, local.factorId, 2],
      [4, false, local.factorId, 3],
    ]);
    const spent = [1, 3, 4, 5, 6].map((place) => [place, true, null, null]);
    assert.deepEqual(await guess('a'), spent);
  },

  kw_use_totp: async ({ local, foreign, batch }) => {
    const codes = [
      [local, 7],
      [foreign, 7],
      [local, 7],
      [local, 8],
      [local, 6],
    ] as const;
    const used = await batch(
      useTotp,
      ...codes.map(([{ userId, factorId }, step]) => ({
        tenant: local.tenantId,
        user: userId,
        factor: factorId,
        step,
        now: NOW,
      })),
    );
    assert.deepEqual(
      used.map((row) => row['answer']),
      [0, null, null, 0, null],
    );
  },

  kw_start_passkey: async ({ local, foreign, batch }) => {
    const started = await batch(
      startPasskey,
      ...[local, foreign, local, local].map((tenant) => flowOf(local, tenant, { limit: 2 })),
    );
    assert.deepEqual(
      started.map((row) => [row['place'], row['user_id'], row['is_begun']]),
      [
        [1, local.userId, true],
        [3, local.userId, true],
        [4, local.userId, false],
      ],
    );
  },

  kw_take_passkey: async (tested) => {
    const { local, foreign, batch } = tested;
    await addPasskey(tested, local);
    const take = async (...flows: readonly Seeded[]) => {
      await batch(startPasskey, flowOf(local, local));
      const found = await batch(
        takePasskey,
        ...flows.map((flow) => flowOf(local, flow, { credential: CREDENTIAL })),
      );
      return found.map((row) => [row['place'], row['is_taken'], row['owner_id']]);
    };
    const [won, lost] = [
      [true, local.userId],
      [false, null],
    ];
    assert.deepEqual(await take(foreign, local, local), [
      [2, ...won],
      [3, ...lost],
    ]);
    const stranger = { ...local, subject: foreign.subject };
    assert.deepEqual(await take(stranger, local), [[2, ...won]], 'another secret');
  },

  kw_use_passkeys: async (tested) => {
    const { local, foreign, rows } = tested;
    await addPasskey(tested, local);
    const flows = [local, foreign, local, local];
    const used = await rows(
      'kw_use_passkeys($1, $2, $3, $4, $5, $6, $7, $8)',
      flows.map(() => local.tenantId),
      flows.map(() => local.flowId),
      flows.map(() => local.subject),
      flows.map(({ userId }) => userId),
      flows.map(() => PASSKEY),
      [1, 1, 1, 2],
      flows.map(() => false),
      flows.map(() => NOW),
    );
    assert.deepEqual(
      used.map((row) => [row['place'], row['accepted_version'], row['is_known']]),
      [
        [1, 0, true],
        [2, null, false],
        [3, null, true],
        [4, 0, true],
      ],
    );
  },

  kw_use_recovery_code: async (tested) => {
    const { local, foreign, rows } = tested;
    await addCodes(tested, local);
    const call = 'kw_use_recovery_code($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';
    const use = async (whose: Seeded, code: Buffer, next = NEXT) => {
      const found = await rows(call, ...guessOf(local, whose), code, next);
      return found.map((row) => [row['is_spent'], row['auth_version'], row['failures']]);
    };
    assert.deepEqual(await use(foreign, RIGHT), []);
    assert.deepEqual(await use(local, Buffer.from('wrong')), [[false, null, 1]]);
    assert.deepEqual(await use(local, RIGHT), [[false, 0, 0]]);
    // Replaced by the next one.
    assert.deepEqual(await use(local, RIGHT), [[false, null, 1]]);
    assert.deepEqual(await use(local, NEXT, RIGHT), [[false, 0, 0]]);
    assert.deepEqual(await use(local, RIGHT), [[true, null, null]]);
  },
};
