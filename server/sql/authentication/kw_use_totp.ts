// Made from kw_use_totp.sql by `npm run generate`.

import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const useTotp: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly user: UserId;
  readonly factor: FactorId;
  readonly step: number;
  readonly now: Date;
}, { readonly answer: number | null }> = {
  name: 'kw_use_totp',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, kw_use_totp(item.p_tenant, item.p_user, item.p_factor, item.p_step, item.p_now) AS answer FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamp with time zone[]) WITH ORDINALITY AS item (p_tenant, p_user, p_factor, p_step, p_now, n) ORDER BY p_tenant COLLATE "C", p_user COLLATE "C", n) AS item',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.user),
    items.map((item) => item.factor),
    items.map((item) => item.step),
    items.map((item) => item.now),
  ],
};
