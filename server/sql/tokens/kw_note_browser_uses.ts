// Made from kw_note_browser_uses.sql by `npm run generate`.

import type { SessionId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const noteBrowserUses: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly sessions: readonly SessionId[];
  readonly now: readonly Date[];
  readonly notedBefore: readonly Date[];
  readonly expiresAt: readonly Date[];
}, unknown> = {
  name: 'kw_note_browser_uses',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_note_browser_uses($1, $2, $3, $4, $5)',
  values: ({ tenants, sessions, now, notedBefore, expiresAt }) => [tenants, sessions, now, notedBefore, expiresAt],
};
