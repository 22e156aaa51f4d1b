// Made from kw_use_challenge.sql by `npm run generate`.

import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface UseChallengeRow {
  readonly user_id: UserId;
  readonly auth_version: number;
}

export const useChallenge: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly challenge: string;
  readonly now: Date;
}, UseChallengeRow> = {
  name: 'kw_use_challenge',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_use_challenge($1, $2, $3, $4)',
  values: (tenant, { flow, challenge, now }) => [tenant, flow, challenge, now],
};
