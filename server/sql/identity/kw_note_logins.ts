// Made from kw_note_logins.sql by `npm run generate`.

import type { TenantId, UserId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const noteLogins: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly users: readonly UserId[];
  readonly minutes: readonly Date[];
}, unknown> = {
  name: 'kw_note_logins',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_note_logins($1, $2, $3)',
  values: ({ tenants, users, minutes }) => [tenants, users, minutes],
};
