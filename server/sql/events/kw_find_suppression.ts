// Made from kw_find_suppression.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const findSuppression: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly id: string;
}, { readonly answer: string | null }> = {
  name: 'kw_find_suppression',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, kw_find_suppression(item.p_tenant, item.p_id) AS answer FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS item (p_tenant, p_id, n)',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.id),
  ],
};
