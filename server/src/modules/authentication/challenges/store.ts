import type { LoginFlowId } from '@keywright/contract/ids';
import { beginChallenge as begin } from '../../../../sql/authentication/kw_begin_challenge.ts';
import { takeGuess as take } from '../../../../sql/authentication/kw_take_guess.ts';
import { useChallenge as use } from '../../../../sql/authentication/kw_use_challenge.ts';
import { callAs } from '../../../platform/db/calls.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Shown } from '../proofs/index.ts';
import { CODE_LIMIT, CODE_WINDOW_SECONDS, codeSubject, GUESSES } from './rules.ts';

/** What a message asks its reader to do. */
type ChallengeKind = 'login' | 'verification' | 'recovery';

/** A challenge as the steps of a flow name it. */
export interface ChallengeOfFlow {
  readonly flowId: LoginFlowId;
  readonly kind: ChallengeKind;
  /** Normalised. */
  readonly identifier: string;
}

interface NewChallenge extends ChallengeOfFlow {
  readonly id: string;
  readonly user: Shown | undefined;
  readonly expiresAt: Date;
}

/** @returns undefined if it was used, or has no guess left */
export async function beginChallenge(
  tx: TenantTx,
  { id, flowId, kind, user, expiresAt }: NewChallenge,
): Promise<{ readonly id: string; readonly expiresAt: Date } | undefined> {
  const [row] = await callAs(tx, begin, {
    challenge: id,
    flow: flowId,
    kind,
    user: user?.userId ?? null,
    authVersion: user?.authVersion ?? null,
    guessesLimit: GUESSES,
    now: tx.now,
    expiresAt,
  });
  return row && { id: row.challenge_id, expiresAt: row.expires_at };
}

/** Takes a guess, before the code is compared. @returns undefined if there is none */
export async function takeGuess(
  data: TenantData,
  { flowId: flow, kind, identifier }: ChallengeOfFlow,
  now: Date,
) {
  const [row] = await data.call(take, {
    flow,
    kind,
    guessesLimit: GUESSES,
    subject: codeSubject(identifier),
    subjectLimit: CODE_LIMIT,
    windowSeconds: CODE_WINDOW_SECONDS,
    now,
  });
  return row;
}

/** @returns whose it is; undefined if it was used, has expired or belongs to another flow */
export async function useChallenge(
  data: TenantData,
  challenge: string,
  flow: LoginFlowId,
  now: Date,
): Promise<Shown | undefined> {
  const [row] = await data.call(use, { challenge, flow, now });
  return row && { userId: row.user_id, authVersion: row.auth_version };
}
