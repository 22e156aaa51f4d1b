// Made from kw_admit_sms.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface AdmitSmsRow {
  readonly retry_after: number | null;
  readonly is_failing: boolean;
}

export const admitSms: Statement & TenantCall<{
  readonly country: string;
  readonly seen: readonly Buffer[];
  readonly networks: readonly Buffer[];
  readonly countries: readonly number[];
  readonly subjects: readonly Buffer[];
  readonly limits: readonly number[];
  readonly windowsSeconds: readonly number[];
  readonly reserves: readonly (number | null)[];
  readonly now: Date;
}, AdmitSmsRow> = {
  name: 'kw_admit_sms',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_admit_sms($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
  values: (tenant, { country, seen, networks, countries, subjects, limits, windowsSeconds, reserves, now }) => [tenant, country, seen, networks, countries, subjects, limits, windowsSeconds, reserves, now],
};
