// Made from kw_read_browser_logins.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { ConsentId, IdentityProviderId, OAuthClientId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type ReadBrowserLoginsRow = {
  readonly user_id: UserId;
  readonly workspace_id: WorkspaceId;
  readonly scopes: string[];
  readonly auth_time: Date;
  readonly acr: Acr;
  readonly amr: string[];
  readonly provider_id: IdentityProviderId | null;
  readonly used_at: Date;
  readonly expires_at: Date;
  readonly ends_at: Date;
  readonly identifier: string;
  readonly consent_id: ConsentId | null;
  readonly consent_version: number | null;
  readonly consent_scopes: string[] | null;
  readonly consent_redirect_origins: string[] | null;
  readonly client_version: number | null;
} | {
  readonly user_id: null;
  readonly workspace_id: WorkspaceId | null;
  readonly scopes: string[] | null;
  readonly auth_time: Date | null;
  readonly acr: Acr | null;
  readonly amr: string[] | null;
  readonly provider_id: IdentityProviderId | null;
  readonly used_at: Date | null;
  readonly expires_at: Date | null;
  readonly ends_at: Date | null;
  readonly identifier: string | null;
  readonly consent_id: ConsentId | null;
  readonly consent_version: number | null;
  readonly consent_scopes: string[] | null;
  readonly consent_redirect_origins: string[] | null;
  readonly client_version: number | null;
};

export const readBrowserLogins: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly sessions: readonly SessionId[];
  readonly secretHashes: readonly Buffer[];
  readonly clients: readonly (OAuthClientId | null)[];
  readonly now: readonly Date[];
}, ReadBrowserLoginsRow> = {
  name: 'kw_read_browser_logins',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_read_browser_logins($1, $2, $3, $4, $5)',
  values: ({ tenants, sessions, secretHashes, clients, now }) => [tenants, sessions, secretHashes, clients, now],
};
