// Made from kw_find_pending_work.sql by `npm run generate`.

import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const findPendingWork: Statement & Call<Record<string, never>, { readonly answer: 'messages' | 'webhook_deliveries' | 'logout_deliveries' | 'signal_deliveries' | 'account_exports' | 'audit_unsealed' }> = {
  name: 'kw_find_pending_work',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_pending_work() AS answer',
  values: () => [],
};
