// Made from kw_finish_messages.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const finishMessages: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly finished: readonly string[];
}, unknown> = {
  name: 'kw_finish_messages',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_finish_messages($1, $2)',
  values: ({ tenants, finished }) => [tenants, finished],
};
