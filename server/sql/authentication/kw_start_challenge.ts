// Made from kw_start_challenge.sql by `npm run generate`.

import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';

export interface StartChallengeRow {
  readonly challenge_id: string;
  readonly expires_at: Date;
}

export const startChallenge: TenantCall<{
  readonly challenge: string;
  readonly flow: LoginFlowId;
  readonly kind: string;
  readonly user: UserId | null;
  readonly authVersion: number | null;
  readonly guessesLimit: number;
  readonly now: Date;
  readonly expiresAt: Date;
}, StartChallengeRow> = {
  text: 'SELECT * FROM kw_start_challenge($1, $2, $3, $4, $5, $6, $7, $8, $9)',
  values: (tenant, { challenge, flow, kind, user, authVersion, guessesLimit, now, expiresAt }) => [tenant, challenge, flow, kind, user, authVersion, guessesLimit, now, expiresAt],
};
