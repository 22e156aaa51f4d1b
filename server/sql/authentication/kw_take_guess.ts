// Made from kw_take_guess.sql by `npm run generate`.

import type { LoginFlowId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface TakeGuessRow {
  readonly challenge_id: string;
  readonly guesses_left: number;
  readonly retry_after: number | null;
}

export const takeGuess: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly kind: string;
  readonly guessesLimit: number;
  readonly subject: Buffer;
  readonly subjectLimit: number;
  readonly windowSeconds: number;
  readonly now: Date;
}, TakeGuessRow> = {
  name: 'kw_take_guess',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_take_guess($1, $2, $3, $4, $5, $6, $7, $8)',
  values: (tenant, { flow, kind, guessesLimit, subject, subjectLimit, windowSeconds, now }) => [tenant, flow, kind, guessesLimit, subject, subjectLimit, windowSeconds, now],
};
