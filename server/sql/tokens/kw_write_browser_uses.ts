// Made from kw_write_browser_uses.sql by `npm run generate`.

import type { SessionId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const writeBrowserUses: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly sessions: readonly SessionId[];
  readonly idleSeconds: readonly number[];
  readonly now: Date;
  readonly writtenBefore: Date;
}, unknown> = {
  name: 'kw_write_browser_uses',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_write_browser_uses($1, $2, $3, $4, $5)',
  values: ({ tenants, sessions, idleSeconds, now, writtenBefore }) => [tenants, sessions, idleSeconds, now, writtenBefore],
};
