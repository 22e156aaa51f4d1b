import assert from 'node:assert/strict';
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

/** The functions that check second factors. */
export const FACTOR_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_guess_totps: async ({ own, foreign, rows }) => {
    const asked = [own, foreign, own, own, own, own];
    const guess = async (challenge: string) => {
      const found = await rows(
        'kw_guess_totps($1, $2, $3, $4, $5, 20, 60, 5, $6)',
        asked.map(() => own.tenantId),
        asked.map(({ userId }) => userId),
        asked.map(({ userId }) => Buffer.from(userId)),
        asked.map(({ userId }) => Buffer.from(`${challenge} ${userId}`)),
        asked.map(() => NOW),
        asked.map(() => 3),
      );
      return found.map((row) => [row['place'], row['is_spent'], row['factor_id'], row['failures']]);
    };
    // The fourth and fifth guess find the factor suspended.
    assert.deepEqual(await guess('a'), [
      [1, false, own.factorId, 1],
      [3, false, own.factorId, 2],
      [4, false, own.factorId, 3],
    ]);
    const spent = [1, 3, 4, 5, 6].map((place) => [place, true, null, null]);
    assert.deepEqual(await guess('a'), spent);
  },

  kw_use_totps: async ({ own, foreign, rows }) => {
    const used = await rows(
      'kw_use_totps($1, $2, $3, $4, $5)',
      [7, 7, 7, 8, 6].map(() => own.tenantId),
      [own, foreign, own, own, own].map(({ userId }) => userId),
      [own, foreign, own, own, own].map(({ factorId }) => factorId),
      [7, 7, 7, 8, 6],
      [7, 7, 7, 8, 6].map(() => NOW),
    );
    assert.deepEqual(
      used.map((row) => [row['place'], row['auth_version']]),
      [
        [1, 0],
        [4, 0],
      ],
    );
  },

  kw_begin_passkeys: async ({ own, foreign, rows }) => {
    const asked = [own, foreign, own, own];
    const begun = await rows(
      'kw_begin_passkeys($1, $2, $3, $4, 2, $5, $6)',
      asked.map(() => own.tenantId),
      asked.map(({ flowId }) => flowId),
      asked.map(({ subject }) => subject),
      asked.map(() => CHALLENGE),
      asked.map(() => NOW),
      asked.map(() => SOON),
    );
    assert.deepEqual(
      begun.map((row) => [row['place'], row['is_begun']]),
      [
        [1, true],
        [3, true],
        [4, false],
      ],
    );
  },

  kw_take_passkeys: async (tested) => {
    const { own, foreign, rows } = tested;
    await addPasskey(tested, own);
    const begin = 'kw_begin_passkeys($1, $2, $3, $4, 9, $5, $6)';
    const ofFlow = [own.tenantId, own.flowId, own.subject];
    const begun = [...ofFlow, CHALLENGE, NOW, SOON].map((one) => [one]);
    const take = async (...asked: readonly Seeded[]) => {
      await rows(begin, ...begun);
      const found = await rows(
        'kw_take_passkeys($1, $2, $3, $4, $5, $6)',
        asked.map(() => own.tenantId),
        asked.map(({ flowId }) => flowId),
        asked.map(({ subject }) => subject),
        asked.map(() => CHALLENGE),
        asked.map(() => CREDENTIAL),
        asked.map(() => NOW),
      );
      return found.map((row) => [row['place'], row['is_taken'], row['owner_id']]);
    };
    const [won, lost] = [
      [true, own.userId],
      [false, null],
    ];
    assert.deepEqual(await take(foreign, own, own), [
      [2, ...won],
      [3, ...lost],
    ]);
    const stranger = { ...own, subject: foreign.subject };
    assert.deepEqual(await take(stranger, own), [[2, ...won]], 'another secret');
  },

  kw_use_passkeys: async (tested) => {
    const { own, foreign, rows } = tested;
    await addPasskey(tested, own);
    const asked = [own, foreign, own, own];
    const used = await rows(
      'kw_use_passkeys($1, $2, $3, $4, $5, $6, $7, $8)',
      asked.map(() => own.tenantId),
      asked.map(() => own.flowId),
      asked.map(() => own.subject),
      asked.map(({ userId }) => userId),
      asked.map(() => PASSKEY),
      [1, 1, 1, 2],
      asked.map(() => false),
      asked.map(() => NOW),
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
    const { own, foreign, rows } = tested;
    await addCodes(tested, own);
    const call = 'kw_use_recovery_code($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';
    const use = async (whose: Seeded, code: Buffer, next = NEXT) => {
      const found = await rows(call, ...guessOf(own, whose), code, next);
      return found.map((row) => [row['is_spent'], row['auth_version'], row['failures']]);
    };
    assert.deepEqual(await use(foreign, RIGHT), []);
    assert.deepEqual(await use(own, Buffer.from('wrong')), [[false, null, 1]]);
    assert.deepEqual(await use(own, RIGHT), [[false, 0, 0]]);
    // Replaced by the next one.
    assert.deepEqual(await use(own, RIGHT), [[false, null, 1]]);
    assert.deepEqual(await use(own, NEXT, RIGHT), [[false, 0, 0]]);
    assert.deepEqual(await use(own, RIGHT), [[true, null, null]]);
  },
};
