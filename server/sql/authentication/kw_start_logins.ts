// Made from kw_start_logins.sql by `npm run generate`.

import type { TenantId, UserId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type StartLoginsRow = {
  readonly retry_after: number | null;
  readonly is_device_known: boolean;
  readonly user_id: UserId;
  readonly is_active: boolean;
  readonly auth_version: number;
  readonly has_second_factor: boolean;
  readonly secret_hash: string | null;
} | {
  readonly retry_after: number | null;
  readonly is_device_known: boolean;
  readonly user_id: null;
  readonly is_active: boolean | null;
  readonly auth_version: number | null;
  readonly has_second_factor: boolean | null;
  readonly secret_hash: string | null;
};

export const startLogins: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly identifiers: readonly string[];
  readonly now: readonly Date[];
  readonly deviceUsers: readonly (UserId | null)[];
  readonly deviceVersions: readonly (number | null)[];
  readonly attemptLogins: readonly number[];
  readonly attemptSubjects: readonly Buffer[];
  readonly attemptLimits: readonly number[];
  readonly attemptWindows: readonly number[];
  readonly attemptReserves: readonly (number | null)[];
  readonly attemptOfDevice: readonly boolean[];
}, StartLoginsRow> = {
  name: 'kw_start_logins',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_start_logins($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
  values: ({ tenants, identifiers, now, deviceUsers, deviceVersions, attemptLogins, attemptSubjects, attemptLimits, attemptWindows, attemptReserves, attemptOfDevice }) => [tenants, identifiers, now, deviceUsers, deviceVersions, attemptLogins, attemptSubjects, attemptLimits, attemptWindows, attemptReserves, attemptOfDevice],
};
