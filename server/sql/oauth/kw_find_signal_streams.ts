// Made from kw_find_signal_streams.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';
import type { JsonValue } from '../../src/platform/db/schema.ts';

export const findSignalStreams: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly streams: readonly string[];
}, { readonly answer: JsonValue }> = {
  name: 'kw_find_signal_streams',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_find_signal_streams($1, $2) AS answer',
  values: ({ tenants, streams }) => [tenants, streams],
};
