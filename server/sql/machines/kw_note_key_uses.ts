// Made from kw_note_key_uses.sql by `npm run generate`.

import type { ApiKeyId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const noteKeyUses: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly keys: readonly ApiKeyId[];
  readonly minutes: readonly Date[];
}, unknown> = {
  name: 'kw_note_key_uses',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_note_key_uses($1, $2, $3)',
  values: ({ tenants, keys, minutes }) => [tenants, keys, minutes],
};
