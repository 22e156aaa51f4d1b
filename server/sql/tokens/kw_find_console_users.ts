// Made from kw_find_console_users.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { IdentityProviderId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type FindConsoleUsersRow = {
  readonly user_id: UserId;
  readonly workspace_id: WorkspaceId;
  readonly roles: string[];
  readonly scopes: string[];
  readonly auth_time: Date;
  readonly acr: Acr;
  readonly amr: string[];
  readonly provider_id: IdentityProviderId | null;
  readonly used_at: Date;
  readonly expires_at: Date;
  readonly ends_at: Date;
  readonly access_version: number;
} | {
  readonly user_id: null;
  readonly workspace_id: WorkspaceId | null;
  readonly roles: string[] | null;
  readonly scopes: string[] | null;
  readonly auth_time: Date | null;
  readonly acr: Acr | null;
  readonly amr: string[] | null;
  readonly provider_id: IdentityProviderId | null;
  readonly used_at: Date | null;
  readonly expires_at: Date | null;
  readonly ends_at: Date | null;
  readonly access_version: number | null;
};

export const findConsoleUsers: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly sessions: readonly SessionId[];
  readonly secretHashes: readonly Buffer[];
  readonly now: readonly Date[];
  readonly usedAfter: readonly Date[];
  readonly madeAfter: readonly Date[];
}, FindConsoleUsersRow> = {
  name: 'kw_find_console_users',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_console_users($1, $2, $3, $4, $5, $6)',
  values: ({ tenants, sessions, secretHashes, now, usedAfter, madeAfter }) => [tenants, sessions, secretHashes, now, usedAfter, madeAfter],
};
