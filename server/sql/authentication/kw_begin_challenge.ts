// Made from kw_begin_challenge.sql by `npm run generate`.

import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';

export interface BeginChallengeRow {
  readonly challenge_id: string;
  readonly expires_at: Date;
}

export const beginChallenge: TenantCall<{
  readonly challenge: string;
  readonly flow: LoginFlowId;
  readonly kind: string;
  readonly user: UserId | null;
  readonly authVersion: number | null;
  readonly guessesLimit: number;
  readonly now: Date;
  readonly expiresAt: Date;
}, BeginChallengeRow> = {
  text: 'SELECT * FROM kw_begin_challenge($1, $2, $3, $4, $5, $6, $7, $8, $9)',
  values: (tenant, { challenge, flow, kind, user, authVersion, guessesLimit, now, expiresAt }) => [tenant, challenge, flow, kind, user, authVersion, guessesLimit, now, expiresAt],
};
