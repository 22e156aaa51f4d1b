// Made from kw_admit_message.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const admitMessage: Statement & TenantCall<{
  readonly subjects: readonly Buffer[];
  readonly limits: readonly number[];
  readonly windowsSeconds: readonly number[];
  readonly own: number;
  readonly now: Date;
}, { readonly answer: number | null }> = {
  name: 'kw_admit_message',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_admit_message($1, $2, $3, $4, $5, $6) AS answer',
  values: (tenant, { subjects, limits, windowsSeconds, own, now }) => [tenant, subjects, limits, windowsSeconds, own, now],
};
