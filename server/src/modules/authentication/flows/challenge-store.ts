import type { LoginFlowId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { FlowPurpose } from '@keywright/contract/records/login-flow';
import { startChallenge as start } from '../../../../sql/authentication/kw_start_challenge.ts';
import {
  countCodes as count,
  type CountCodesRow,
} from '../../../../sql/authentication/kw_count_codes.ts';
import { findMessageLink } from '../../../../sql/authentication/kw_find_message_link.ts';
import { guessCode, type GuessCodeRow } from '../../../../sql/authentication/kw_guess_code.ts';
import { callAs } from '../../../platform/db/calls.ts';
import { type TenantData, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { Shown } from '../proofs/index.ts';
import { CODE_LIMITS, type ChallengeKind, GUESSES, codeSubject } from './flow-rules.ts';

/** A guess, taken before the code of a message is compared. With `retry_after`, the code must not be compared. */
export interface TakenGuess extends GuessCodeRow {
  readonly kind: ChallengeKind;
}

/** A challenge, as identified by the steps of a flow. */
export interface ChallengeOfFlow {
  readonly flowId: LoginFlowId;
  readonly kind: ChallengeKind;
  /** Normalized. */
  readonly identifier: string;
}

/** The challenge of a link, and the flow that requested it. */
export interface Link extends ChallengeOfFlow {
  readonly purpose: FlowPurpose;
  readonly sentTo: Shown | undefined;
  readonly workspaceId: WorkspaceId | undefined;
  readonly registers: boolean;
  readonly locale: string | undefined;
  readonly userAgent: string | null;
  readonly startedAt: Date;
  /** Whether its message had too many wrong codes: then neither the code nor the link works. */
  readonly isEnded: boolean;
}

interface NewChallenge extends ChallengeOfFlow {
  readonly id: string;
  readonly user: Shown | undefined;
  readonly expiresAt: Date;
}

/** Starts or repeats a challenge. @returns undefined if it was used, or has no guess left */
export async function insertChallenge(
  tx: TenantTx,
  { id, flowId, kind, user, expiresAt }: NewChallenge,
): Promise<{ readonly id: string; readonly expiresAt: Date } | undefined> {
  const [row] = await callAs(tx, start, {
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
): Promise<TakenGuess | undefined> {
  const [row] = await data.call(guessCode, {
    flow,
    kind,
    guessesLimit: GUESSES,
    subject: codeSubject(identifier),
    subjectLimit: CODE_LIMITS.login_attempts_limit,
    windowSeconds: CODE_LIMITS.login_attempts_window,
    now,
  });
  return row && { ...row, kind };
}

/** Counts challenges and wrong codes. @param expireAfter challenges that expire later are counted */
export async function countCodes(data: TenantData, expireAfter: Date): Promise<CountCodesRow> {
  const [row] = await data.call(count, { expireAfter });
  if (!row) throw new Error('Codes were not counted.');
  return row;
}

/** Ends the other challenges of a flow, which waits for only one code. */
export async function endOthers(
  tx: TenantTx,
  { flowId, kind }: Pick<ChallengeOfFlow, 'flowId' | 'kind'>,
): Promise<void> {
  await update(tx, 'challenges')
    .set({ used_at: tx.now })
    .where('flow_id', '=', flowId)
    .where('kind', '<>', kind)
    .where('used_at', 'is', null)
    .execute();
}

/** Uses a challenge without a flow. @returns false if it was used or has expired */
export async function useChallenge(tx: TenantTx, challenge: string): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'challenges')
    .set({ used_at: tx.now })
    .where('id', '=', challenge)
    .where('used_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns undefined if it was used or has expired */
export async function findLink(
  data: TenantData,
  challenge: string,
  now: Date,
): Promise<Link | undefined> {
  const [row] = await data.call(findMessageLink, { challenge, now });
  if (!row) return undefined;
  return {
    flowId: row.flow_id,
    kind: row.kind,
    purpose: row.purpose,
    identifier: row.identifier,
    sentTo: sentToOf(row),
    workspaceId: row.workspace_id ?? undefined,
    registers: row.registers,
    locale: row.locale ?? undefined,
    userAgent: row.user_agent,
    startedAt: row.created_at,
    isEnded: row.guesses >= GUESSES,
  };
}

/** Returns the user who had the identifier when a message was sent. */
export function sentToOf(row: {
  readonly user_id: UserId | null;
  readonly auth_version: number | null;
}): Shown | undefined {
  const { user_id: userId, auth_version: authVersion } = row;
  return userId === null || authVersion === null ? undefined : { userId, authVersion };
}
