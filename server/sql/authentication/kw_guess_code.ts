// Made from kw_guess_code.sql by `npm run generate`.

import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface GuessCodeRow {
  readonly challenge_id: string;
  readonly user_id: UserId | null;
  readonly auth_version: number | null;
  readonly guesses_left: number;
  readonly retry_after: number | null;
}

export const guessCode: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly kind: string;
  readonly guessesLimit: number;
  readonly subject: Buffer;
  readonly subjectLimit: number;
  readonly windowSeconds: number;
  readonly now: Date;
}, GuessCodeRow> = {
  name: 'kw_guess_code',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_guess_code($1, $2, $3, $4, $5, $6, $7, $8)',
  values: (tenant, { flow, kind, guessesLimit, subject, subjectLimit, windowSeconds, now }) => [tenant, flow, kind, guessesLimit, subject, subjectLimit, windowSeconds, now],
};
