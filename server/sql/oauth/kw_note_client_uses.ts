// Made from kw_note_client_uses.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const noteClientUses: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly clients: readonly OAuthClientId[];
  readonly hours: readonly Date[];
}, unknown> = {
  name: 'kw_note_client_uses',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_note_client_uses($1, $2, $3)',
  values: ({ tenants, clients, hours }) => [tenants, clients, hours],
};
