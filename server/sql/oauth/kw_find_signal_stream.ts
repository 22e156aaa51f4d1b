// Made from kw_find_signal_stream.sql by `npm run generate`.

import type { OAuthClientId, SignalStreamId, TenantId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface FindSignalStreamRow {
  readonly id: SignalStreamId;
  readonly client_id: OAuthClientId;
  readonly method: 'push' | 'poll';
  readonly endpoint_url: string | null;
  readonly authorization_header: Buffer | null;
  readonly status: 'enabled' | 'paused' | 'disabled';
  readonly failing_since: Date | null;
}

export const findSignalStream: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly stream: string;
}, FindSignalStreamRow> = {
  name: 'kw_find_signal_stream',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, result.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS item (p_tenant, p_stream, n) CROSS JOIN LATERAL kw_find_signal_stream(item.p_tenant, item.p_stream) AS result',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.stream),
  ],
};
