// Made from kw_pause_sms.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';

export interface PauseSmsRow {
  readonly sent: number;
  readonly redeemed: number;
}

export const pauseSms: TenantCall<{
  readonly country: string;
  readonly until: Date;
}, PauseSmsRow> = {
  text: 'SELECT * FROM kw_pause_sms($1, $2, $3)',
  values: (tenant, { country, until }) => [tenant, country, until],
};
