// Made from kw_guess_totps.sql by `npm run generate`.

import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type GuessTotpsRow = {
  readonly place: number;
  readonly retry_after: number | null;
  readonly is_spent: boolean;
  readonly factor_id: FactorId;
  readonly totp_secret: Buffer;
  readonly failures: number;
} | {
  readonly place: number;
  readonly retry_after: number | null;
  readonly is_spent: boolean;
  readonly factor_id: null;
  readonly totp_secret: Buffer | null;
  readonly failures: number | null;
};

export const guessTotps: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly users: readonly UserId[];
  readonly subjects: readonly Buffer[];
  readonly challenges: readonly Buffer[];
  readonly now: readonly Date[];
  readonly limit: number;
  readonly windowSeconds: number;
  readonly challengeLimit: number;
  readonly maxFailures: readonly number[];
}, GuessTotpsRow> = {
  name: 'kw_guess_totps',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_guess_totps($1, $2, $3, $4, $5, $6, $7, $8, $9)',
  values: ({ tenants, users, subjects, challenges, now, limit, windowSeconds, challengeLimit, maxFailures }) => [tenants, users, subjects, challenges, now, limit, windowSeconds, challengeLimit, maxFailures],
};
