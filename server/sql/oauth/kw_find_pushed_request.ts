// Made from kw_find_pushed_request.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface FindPushedRequestRow {
  readonly parameters: string;
  readonly expires_at: Date;
}

export const findPushedRequest: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly id: Buffer;
  readonly client: OAuthClientId;
  readonly now: Date;
}, FindPushedRequestRow> = {
  name: 'kw_find_pushed_request',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, result.* FROM unnest($1::text[], $2::bytea[], $3::text[], $4::timestamp with time zone[]) WITH ORDINALITY AS item (p_tenant, p_id, p_client, p_now, n) CROSS JOIN LATERAL kw_find_pushed_request(item.p_tenant, item.p_id, item.p_client, item.p_now) AS result',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.id),
    items.map((item) => item.client),
    items.map((item) => item.now),
  ],
};
