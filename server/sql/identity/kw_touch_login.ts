// Made from kw_touch_login.sql by `npm run generate`.

import type { TenantId, UserId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const touchLogin: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly user: UserId;
  readonly minute: Date;
}, unknown> = {
  name: 'kw_touch_login',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, kw_touch_login(item.p_tenant, item.p_user, item.p_minute) FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::timestamp with time zone[]) WITH ORDINALITY AS item (p_tenant, p_user, p_minute, n) ORDER BY p_tenant COLLATE "C", p_user COLLATE "C", n) AS item',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.user),
    items.map((item) => item.minute),
  ],
};
