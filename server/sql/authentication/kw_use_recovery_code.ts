// Made from kw_use_recovery_code.sql by `npm run generate`.

import type { FactorId, UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface UseRecoveryCodeRow {
  readonly retry_after: number | null;
  readonly is_spent: boolean;
  readonly factor_id: FactorId | null;
  readonly auth_version: number | null;
  readonly failures: number | null;
}

export const useRecoveryCode: Statement & TenantCall<{
  readonly user: UserId;
  readonly subject: Buffer;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly challenge: Buffer;
  readonly challengeLimit: number;
  readonly maxFailures: number;
  readonly now: Date;
  readonly code: Buffer;
  readonly next: Buffer;
}, UseRecoveryCodeRow> = {
  name: 'kw_use_recovery_code',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_use_recovery_code($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
  values: (tenant, { user, subject, limit, windowSeconds, challenge, challengeLimit, maxFailures, now, code, next }) => [tenant, user, subject, limit, windowSeconds, challenge, challengeLimit, maxFailures, now, code, next],
};
