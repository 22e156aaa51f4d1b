// Made from kw_touch_client.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const touchClient: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly client: OAuthClientId;
  readonly hour: Date;
}, unknown> = {
  name: 'kw_touch_client',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, kw_touch_client(item.p_tenant, item.p_client, item.p_hour) FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::timestamp with time zone[]) WITH ORDINALITY AS item (p_tenant, p_client, p_hour, n) ORDER BY p_tenant COLLATE "C", p_client COLLATE "C", n) AS item',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.client),
    items.map((item) => item.hour),
  ],
};
