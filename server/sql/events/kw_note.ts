// Made from kw_note.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const note: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly entries: string;
}, unknown> = {
  name: 'kw_note',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, kw_note(item.p_tenant, item.p_entries) FROM (SELECT * FROM unnest($1::text[], $2::jsonb[]) WITH ORDINALITY AS item (p_tenant, p_entries, n) ORDER BY p_tenant COLLATE "C", n) AS item',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.entries),
  ],
};
