// Made from kw_find_signal_streams.sql by `npm run generate`.

import type { OAuthClientId, SignalStreamId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const findSignalStreams: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly streams: readonly string[];
}, { readonly answer: ({ readonly id: SignalStreamId; readonly client_id: OAuthClientId; readonly method: 'push' | 'poll'; readonly endpoint_url: string | null; readonly authorization_header: string | null; readonly status: 'enabled' | 'paused' | 'disabled'; readonly failing_since: string | null } | null)[] }> = {
  name: 'kw_find_signal_streams',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_find_signal_streams($1, $2) AS answer',
  values: ({ tenants, streams }) => [tenants, streams],
};
