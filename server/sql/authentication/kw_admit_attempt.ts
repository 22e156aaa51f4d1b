// Made from kw_admit_attempt.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const admitAttempt: Statement & TenantCall<{
  readonly subject: Buffer;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly now: Date;
}, { readonly answer: number | null }> = {
  name: 'kw_admit_attempt',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_admit_attempt($1, $2, $3, $4, $5) AS answer',
  values: (tenant, { subject, limit, windowSeconds, now }) => [tenant, subject, limit, windowSeconds, now],
};
