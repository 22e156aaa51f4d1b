// Made from kw_count_sms.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';

export const countSms: TenantCall<{
  readonly country: string;
  readonly sent: number;
  readonly redeemed: number;
}, unknown> = {
  text: 'SELECT kw_count_sms($1, $2, $3, $4)',
  values: (tenant, { country, sent, redeemed }) => [tenant, country, sent, redeemed],
};
