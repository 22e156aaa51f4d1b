// Made from kw_open_client_sessions.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { ConsentId, OAuthClientId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { Call, RowFor } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type OpenClientSessionsRow = {
  readonly outcome: 'opened';
  readonly roles: string[];
  readonly scopes: string[];
  readonly identifiers: IdentifierRecord[];
  readonly auth_time: Date;
  readonly acr: Acr;
  readonly amr: string[];
  readonly metadata: Record<"metadata" | "user_metadata", Record<string, unknown>> & { readonly name: string | null; readonly picture: string | null; readonly updated_at: number } | null;
  readonly queued: string[] | null;
} | RowFor<'outcome', 'used' | 'refused' | 'stale', {
  readonly roles: string[];
  readonly scopes: string[];
  readonly identifiers: IdentifierRecord[];
  readonly auth_time: Date | null;
  readonly acr: Acr | null;
  readonly amr: string[] | null;
  readonly metadata: Record<"metadata" | "user_metadata", Record<string, unknown>> & { readonly name: string | null; readonly picture: string | null; readonly updated_at: number } | null;
  readonly queued: string[] | null;
}>;

export const openClientSessions: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly sessions: readonly SessionId[];
  readonly clients: readonly OAuthClientId[];
  readonly users: readonly UserId[];
  readonly workspaces: readonly WorkspaceId[];
  readonly logins: readonly SessionId[];
  readonly parents: readonly (SessionId | null)[];
  readonly consents: readonly ConsentId[];
  readonly consentVersions: readonly number[];
  readonly codeHashes: readonly Buffer[];
  readonly scopes: readonly string[];
  readonly userAgents: readonly (string | null)[];
  readonly ipAddresses: readonly string[];
  readonly now: readonly Date[];
  readonly expiresAt: readonly Date[];
  readonly endsAt: readonly Date[];
  readonly refreshHashes: readonly Buffer[];
  readonly statusIndexes: readonly number[];
  readonly entries: string;
  readonly events: string;
  readonly userinfoClaims: readonly (string | null)[];
  readonly clientVersions: readonly number[];
  readonly metadata: readonly boolean[];
}, OpenClientSessionsRow> = {
  name: 'kw_open_client_sessions',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_open_client_sessions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)',
  values: ({ tenants, sessions, clients, users, workspaces, logins, parents, consents, consentVersions, codeHashes, scopes, userAgents, ipAddresses, now, expiresAt, endsAt, refreshHashes, statusIndexes, entries, events, userinfoClaims, clientVersions, metadata }) => [tenants, sessions, clients, users, workspaces, logins, parents, consents, consentVersions, codeHashes, scopes, userAgents, ipAddresses, now, expiresAt, endsAt, refreshHashes, statusIndexes, entries, events, userinfoClaims, clientVersions, metadata],
};
