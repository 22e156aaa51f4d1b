// Made from kw_poll_devices.sql by `npm run generate`.

import type { ConsentId, OAuthClientId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const pollDevices: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly ids: readonly Buffer[];
  readonly clients: readonly OAuthClientId[];
  readonly now: readonly Date[];
}, { readonly answer: ({ readonly outcome: 'pending' | 'too_soon' | 'denied' | 'expired' } | { readonly outcome: 'approved'; readonly user_id: UserId; readonly workspace_id: WorkspaceId; readonly login_id: SessionId; readonly consent_id: ConsentId; readonly consent_version: number; readonly scopes: readonly string[]; readonly targets: readonly string[] } | null)[] }> = {
  name: 'kw_poll_devices',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_poll_devices($1, $2, $3, $4) AS answer',
  values: ({ tenants, ids, clients, now }) => [tenants, ids, clients, now],
};
