// Made from kw_guess_totp.sql by `npm run generate`.

import type { FactorId, UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type GuessTotpRow = {
  readonly retry_after: number | null;
  readonly is_spent: boolean;
  readonly factor_id: FactorId;
  readonly totp_secret: Buffer;
  readonly failures: number;
} | {
  readonly retry_after: number | null;
  readonly is_spent: boolean;
  readonly factor_id: null;
  readonly totp_secret: Buffer | null;
  readonly failures: number | null;
};

export const guessTotp: Statement & TenantCall<{
  readonly user: UserId;
  readonly subject: Buffer;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly challenge: Buffer;
  readonly challengeLimit: number;
  readonly maxFailures: number;
  readonly now: Date;
}, GuessTotpRow> = {
  name: 'kw_guess_totp',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_guess_totp($1, $2, $3, $4, $5, $6, $7, $8, $9)',
  values: (tenant, { user, subject, limit, windowSeconds, challenge, challengeLimit, maxFailures, now }) => [tenant, user, subject, limit, windowSeconds, challenge, challengeLimit, maxFailures, now],
};
