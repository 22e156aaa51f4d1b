// Made from kw_refresh_sessions.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { OAuthClientId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { Call, RowFor } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type RefreshSessionsRow = RowFor<'outcome', 'rotated' | 'repeated' | 'other', {
  readonly kid: string | null;
  readonly hash: Buffer;
  readonly issued_at: Date;
  readonly expires_at: Date;
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
}> | RowFor<'outcome', 'ended' | 'stale', {
  readonly kid: string | null;
  readonly hash: Buffer | null;
  readonly issued_at: Date | null;
  readonly expires_at: Date | null;
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

export const refreshSessions: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly sessions: readonly SessionId[];
  readonly presented: readonly Buffer[];
  readonly next: readonly Buffer[];
  readonly kids: readonly (string | null)[];
  readonly issuedAt: readonly Date[];
  readonly expiresAt: readonly Date[];
  readonly retrySeconds: readonly number[];
  readonly clients: readonly (OAuthClientId | null)[];
  readonly clientVersions: readonly (number | null)[];
  readonly metadata: readonly boolean[];
}, RefreshSessionsRow> = {
  name: 'kw_refresh_sessions',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_refresh_sessions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
  values: ({ tenants, sessions, presented, next, kids, issuedAt, expiresAt, retrySeconds, clients, clientVersions, metadata }) => [tenants, sessions, presented, next, kids, issuedAt, expiresAt, retrySeconds, clients, clientVersions, metadata],
};
