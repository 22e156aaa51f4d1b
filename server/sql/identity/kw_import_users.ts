// Made from kw_import_users.sql by `npm run generate`.

import type { UserId } from '@keywright/contract/ids';
import type { TenantCall, RowFor } from '../../src/platform/db/calls.ts';

export type ImportUsersRow = RowFor<'outcome', 'created' | 'existing', {
  readonly user_id: UserId;
}> | {
  readonly outcome: 'taken';
  readonly user_id: UserId | null;
};

export const importUsers: TenantCall<{
  readonly rows: string;
  readonly now: Date;
}, ImportUsersRow> = {
  text: 'SELECT * FROM kw_import_users($1, $2, $3)',
  values: (tenant, { rows, now }) => [tenant, rows, now],
};
