// Made from kw_find_issued_tokens.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { SessionId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface FindIssuedTokensRow {
  readonly kid: string;
  readonly hash: Buffer;
  readonly issued_at: Date;
  readonly expires_at: Date;
  readonly ends_at: Date;
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
}

export const findIssuedTokens: Statement & TenantCall<{
  readonly session: SessionId;
  readonly now: Date;
}, FindIssuedTokensRow> = {
  name: 'kw_find_issued_tokens',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_issued_tokens($1, $2, $3)',
  values: (tenant, { session, now }) => [tenant, session, now],
};
