// Made from kw_find_browser_session.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { ConsentId, OAuthClientId, SessionId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface FindBrowserSessionRow {
  readonly user_id: UserId;
  readonly workspace_id: WorkspaceId;
  readonly scopes: string[];
  readonly auth_time: Date;
  readonly acr: Acr;
  readonly amr: string[];
  readonly expires_at: Date;
  readonly ends_at: Date;
  readonly identifier: string;
  readonly consent_id: ConsentId | null;
  readonly consent_version: number | null;
  readonly consent_scopes: string[] | null;
}

export const findBrowserSession: Statement & TenantCall<{
  readonly session: SessionId;
  readonly secretHash: Buffer;
  readonly client: OAuthClientId | null;
  readonly now: Date;
}, FindBrowserSessionRow> = {
  name: 'kw_find_browser_session',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_browser_session($1, $2, $3, $4, $5)',
  values: (tenant, { session, secretHash, client, now }) => [tenant, session, secretHash, client, now],
};
