// Made from kw_note_device_polls.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const noteDevicePolls: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly ids: readonly Buffer[];
  readonly clients: readonly OAuthClientId[];
  readonly now: Date;
}, { readonly answer: number[] }> = {
  name: 'kw_note_device_polls',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_note_device_polls($1, $2, $3, $4) AS answer',
  values: ({ tenants, ids, clients, now }) => [tenants, ids, clients, now],
};
