// Made from kw_admit_message.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface AdmitMessageRow {
  readonly place: number;
  readonly retry_after: number;
}

export const admitMessage: Statement & TenantCall<{
  readonly subjects: readonly Buffer[];
  readonly limits: readonly number[];
  readonly windowsSeconds: readonly number[];
  readonly reserves: readonly (number | null)[];
  readonly now: Date;
}, AdmitMessageRow> = {
  name: 'kw_admit_message',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_admit_message($1, $2, $3, $4, $5, $6)',
  values: (tenant, { subjects, limits, windowsSeconds, reserves, now }) => [tenant, subjects, limits, windowsSeconds, reserves, now],
};
