// Made from kw_touch_key.sql by `npm run generate`.

import type { ApiKeyId, TenantId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const touchKey: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly key: ApiKeyId;
  readonly minute: Date;
}, unknown> = {
  name: 'kw_touch_key',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, kw_touch_key(item.p_tenant, item.p_key, item.p_minute) FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::timestamp with time zone[]) WITH ORDINALITY AS item (p_tenant, p_key, p_minute, n) ORDER BY p_tenant COLLATE "C", p_key COLLATE "C", n) AS item',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.key),
    items.map((item) => item.minute),
  ],
};
