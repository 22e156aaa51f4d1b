// Made from kw_poll_devices.sql by `npm run generate`.

import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';
import type { JsonValue } from '../../src/platform/db/schema.ts';

export const pollDevices: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly ids: readonly Buffer[];
  readonly clients: readonly OAuthClientId[];
  readonly now: readonly Date[];
}, { readonly answer: JsonValue }> = {
  name: 'kw_poll_devices',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_poll_devices($1, $2, $3, $4) AS answer',
  values: ({ tenants, ids, clients, now }) => [tenants, ids, clients, now],
};
