// Made from kw_find_refreshed.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { IdentityProviderId, SessionId, UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface FindRefreshedRow {
  readonly kind: 'api' | 'client';
  readonly user_id: UserId;
  readonly acr: Acr;
  readonly amr: string[];
  readonly provider_id: IdentityProviderId | null;
  readonly identifier: string | null;
}

export const findRefreshed: Statement & TenantCall<{
  readonly session: SessionId;
  readonly presented: Buffer;
  readonly retrySeconds: number;
  readonly now: Date;
}, FindRefreshedRow> = {
  name: 'kw_find_refreshed',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_refreshed($1, $2, $3, $4, $5)',
  values: (tenant, { session, presented, retrySeconds, now }) => [tenant, session, presented, retrySeconds, now],
};
