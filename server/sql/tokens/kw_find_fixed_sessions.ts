// Made from kw_find_fixed_sessions.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { OAuthClientId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { Call, RowFor } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type FindFixedSessionsRow = {
  readonly outcome: 'current';
  readonly user_id: UserId;
  readonly access_version: number;
  readonly workspace_id: WorkspaceId;
  readonly roles: string[];
  readonly scopes: string[];
  readonly identifiers: IdentifierRecord[];
  readonly status_idx: string | null;
  readonly auth_time: Date;
  readonly acr: Acr;
  readonly amr: string[];
  readonly metadata: Record<"metadata" | "user_metadata", Record<string, unknown>> & { readonly name: string | null; readonly picture: string | null; readonly updated_at: number } | null;
} | RowFor<'outcome', 'other' | 'ended' | 'stale', {
  readonly user_id: UserId | null;
  readonly access_version: number | null;
  readonly workspace_id: WorkspaceId | null;
  readonly roles: string[];
  readonly scopes: string[];
  readonly identifiers: IdentifierRecord[];
  readonly status_idx: string | null;
  readonly auth_time: Date | null;
  readonly acr: Acr | null;
  readonly amr: string[] | null;
  readonly metadata: Record<"metadata" | "user_metadata", Record<string, unknown>> & { readonly name: string | null; readonly picture: string | null; readonly updated_at: number } | null;
}>;

export const findFixedSessions: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly sessions: readonly SessionId[];
  readonly presented: readonly Buffer[];
  readonly now: readonly Date[];
  readonly clients: readonly OAuthClientId[];
  readonly clientVersions: readonly number[];
  readonly metadata: readonly boolean[];
}, FindFixedSessionsRow> = {
  name: 'kw_find_fixed_sessions',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_fixed_sessions($1, $2, $3, $4, $5, $6, $7)',
  values: ({ tenants, sessions, presented, now, clients, clientVersions, metadata }) => [tenants, sessions, presented, now, clients, clientVersions, metadata],
};
