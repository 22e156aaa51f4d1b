// Made from kw_poll_device.sql by `npm run generate`.

import type { ConsentId, OAuthClientId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { BatchCall, RowFor } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type PollDeviceRow = RowFor<'outcome', 'pending' | 'too_soon' | 'denied' | 'expired', {
  readonly user_id: UserId | null;
  readonly workspace_id: WorkspaceId | null;
  readonly login_id: SessionId | null;
  readonly consent_id: ConsentId | null;
  readonly consent_version: number | null;
  readonly scopes: string[] | null;
  readonly targets: string[] | null;
}> | {
  readonly outcome: 'approved';
  readonly user_id: UserId;
  readonly workspace_id: WorkspaceId;
  readonly login_id: SessionId;
  readonly consent_id: ConsentId;
  readonly consent_version: number;
  readonly scopes: string[];
  readonly targets: string[];
};

export const pollDevice: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly id: Buffer;
  readonly client: OAuthClientId;
  readonly now: Date;
}, PollDeviceRow> = {
  name: 'kw_poll_device',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, result.* FROM (SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::timestamp with time zone[]) WITH ORDINALITY AS item (p_tenant, p_id, p_client, p_now, n) ORDER BY p_tenant COLLATE "C", p_id, n) AS item CROSS JOIN LATERAL kw_poll_device(item.p_tenant, item.p_id, item.p_client, item.p_now) AS result',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.id),
    items.map((item) => item.client),
    items.map((item) => item.now),
  ],
};
