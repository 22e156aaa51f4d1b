// Made from kw_redeem_challenge.sql by `npm run generate`.

import type { LoginFlowId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const redeemChallenge: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly version: number;
  readonly challenge: string;
  readonly proof: string | null;
  readonly now: Date;
}, { readonly answer: boolean }> = {
  name: 'kw_redeem_challenge',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_redeem_challenge($1, $2, $3, $4, $5, $6) AS answer',
  values: (tenant, { flow, version, challenge, proof, now }) => [tenant, flow, version, challenge, proof, now],
};
