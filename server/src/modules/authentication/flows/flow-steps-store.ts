import type { FactorId, UserId } from '@keywright/contract/ids';
import { startPasskey } from '../../../../sql/authentication/kw_start_passkey.ts';
import {
  guessFlowCodes,
  type GuessFlowCodesRow,
} from '../../../../sql/authentication/kw_guess_flow_codes.ts';
import {
  takePasskey,
  type TakePasskeyRow,
} from '../../../../sql/authentication/kw_take_passkey.ts';
import { usePasskeys } from '../../../../sql/authentication/kw_use_passkeys.ts';
import { batched, rowsByPlace, sortedBatch, writeTogether } from '../../../platform/db/calls.ts';
import { prefixOf } from '../../../tenancy/counters.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { CODE_LIMITS, GUESSES, MESSAGE_KINDS } from './flow-rules.ts';
import type { TakenGuess } from './challenge-store.ts';
import { flowItem, type FlowRef, ofFlows, type StoredFlow } from './flow-store.ts';

/** Maximum number of passkey challenges in a flow. */
export const MAX_CHALLENGES = 20;
const BATCH = { size: 32, flights: 2 };

/** A guess of the code of a flow's message. */
interface Guess extends FlowRef {
  readonly now: Date;
}

/** A flow, and the guess that was taken of its message. */
export interface GuessedFlow {
  readonly flow: StoredFlow;
  /** Undefined if the message has no guess left or does not exist. */
  readonly guess: TakenGuess | undefined;
}

interface NewPasskeyChallenge extends FlowRef {
  readonly challengeHash: Buffer;
  readonly expiresAt: Date;
  readonly now: Date;
}

interface StartedPasskey {
  readonly flow: StoredFlow;
  /** Whether the flow is open, and can have another challenge. */
  readonly isStarted: boolean;
}

interface PresentedPasskey extends FlowRef {
  readonly challengeHash: Buffer;
  /** Its ID. */
  readonly credential: Buffer;
  readonly now: Date;
}

/** A stored passkey. */
export interface TakenPasskey {
  readonly factorId: FactorId;
  readonly userId: UserId;
  /** Whether its user is active. */
  readonly isActive: boolean;
  readonly publicKey: Buffer;
  readonly algorithm: number;
  readonly isBackupEligible: boolean;
  readonly userHandle: Buffer;
  readonly rpId: string;
}

export interface TakenPasskeyOfFlow {
  readonly flow: StoredFlow;
  /** Whether the challenge existed. */
  readonly isTaken: boolean;
  /** Undefined if the tenant has no passkey with this ID. */
  readonly passkey: TakenPasskey | undefined;
}

export interface VerifiedPasskey {
  readonly userId: UserId;
  readonly factorId: FactorId;
  readonly counter: number;
  readonly isBackedUp: boolean;
}

interface PasskeyUse extends VerifiedPasskey, FlowRef {
  readonly now: Date;
}

export interface UsedPasskey {
  readonly flow: StoredFlow;
  /** The version of the user; undefined if the counter did not increase, or the passkey was removed. */
  readonly authVersion: number | undefined;
  readonly isRegistered: boolean;
  /** The IDs of all passkeys of the user. */
  readonly credentials: readonly Buffer[];
}

/**
 * Loads a flow together with the data that its step needs. Concurrent calls, for any tenants, share one statement and
 * one commit. Each returns undefined for an unknown ID or a wrong secret.
 */
export class FlowStatements {
  /** Takes a guess of the flow's message, before the code is compared. */
  readonly guess: (guess: Guess) => Promise<GuessedFlow | undefined>;
  /** Stores the challenge that the next passkey must sign. */
  readonly startPasskey: (challenge: NewPasskeyChallenge) => Promise<StartedPasskey | undefined>;
  /** Uses up the challenge. */
  readonly takePasskey: (presented: PresentedPasskey) => Promise<TakenPasskeyOfFlow | undefined>;
  /** Accepts a passkey, unless its counter did not increase. */
  readonly usePasskey: (passkey: PasskeyUse) => Promise<UsedPasskey | undefined>;

  constructor(gate: Gate) {
    this.guess = writtenTogether((guesses: readonly Guess[]) => guessCodes(gate, guesses));
    this.startPasskey = writtenTogether((guesses: readonly NewPasskeyChallenge[]) =>
      startAll(gate, guesses),
    );
    this.takePasskey = writtenTogether((passkeys: readonly PresentedPasskey[]) =>
      takeAll(gate, passkeys),
    );
    this.usePasskey = writtenTogether((passkeys: readonly PasskeyUse[]) => useAll(gate, passkeys));
  }
}

function writtenTogether<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  return batched((items: readonly Item[]) => writeTogether(items, run), BATCH);
}

function flowArguments(refs: readonly FlowRef[]) {
  return {
    tenants: refs.map((ref) => ref.tenantId),
    flows: refs.map((ref) => ref.id),
    tokenHashes: refs.map((ref) => ref.secret.hash),
  };
}

async function guessCodes(
  gate: Gate,
  guesses: readonly Guess[],
): Promise<(GuessedFlow | undefined)[]> {
  const rows = await gate.callMany(guessFlowCodes, {
    ...flowArguments(guesses),
    now: guesses.map((guess) => guess.now),
    kinds: MESSAGE_KINDS,
    guessesLimit: GUESSES,
    subjectPrefix: prefixOf('code'),
    subjectLimit: CODE_LIMITS.login_attempts_limit,
    windowSeconds: CODE_LIMITS.login_attempts_window,
  });
  const found = rowsByPlace(guesses.length, rows);
  return ofFlows(guesses, found, (flow, row) => ({ flow, guess: takenGuess(row) }));
}

function takenGuess(row: GuessFlowCodesRow): TakenGuess | undefined {
  const { challenge_id: id, kind, guesses_left: guessesLeft } = row;
  if (id === null || kind === null || guessesLeft === null) return undefined;
  return {
    challenge_id: id,
    kind,
    user_id: row.sent_to,
    auth_version: row.sent_version,
    guesses_left: guessesLeft,
    retry_after: row.retry_after,
  };
}

async function startAll(gate: Gate, challenges: readonly NewPasskeyChallenge[]) {
  const items = challenges.map((challenge) => ({
    ...flowItem(challenge),
    challengeHash: challenge.challengeHash,
    limit: MAX_CHALLENGES,
    now: challenge.now,
    expiresAt: challenge.expiresAt,
  }));
  const found = await gate.callEach(startPasskey, items);
  return ofFlows(challenges, found, (flow, row) => ({ flow, isStarted: row.is_begun }));
}

async function takeAll(gate: Gate, presented: readonly PresentedPasskey[]) {
  const items = presented.map((passkey) => ({
    ...flowItem(passkey),
    challengeHash: passkey.challengeHash,
    credential: passkey.credential,
    now: passkey.now,
  }));
  const found = await gate.callEach(takePasskey, items);
  return ofFlows(presented, found, (flow, row) => ({
    flow,
    isTaken: row.is_taken,
    passkey: takenPasskey(row),
  }));
}

function takenPasskey(row: TakePasskeyRow): TakenPasskey | undefined {
  const { factor_id: factorId, owner_id: userId, public_key: publicKey } = row;
  const { user_handle: userHandle, rp_id: rpId, algorithm } = row;
  if (factorId === null || userId === null || publicKey === null) return undefined;
  if (userHandle === null || rpId === null || algorithm === null) return undefined;
  return {
    factorId,
    userId,
    isActive: row.is_owner_active === true,
    publicKey,
    algorithm,
    isBackupEligible: row.backup_eligible === true,
    userHandle,
    rpId,
  };
}

async function useAll(gate: Gate, passkeys: readonly PasskeyUse[]) {
  const { sorted, unsorted } = sortedBatch(
    passkeys,
    ({ tenantId, userId }) => `${tenantId} ${userId}`,
  );
  const rows = await gate.callMany(usePasskeys, {
    ...flowArguments(sorted),
    users: sorted.map((use) => use.userId),
    factors: sorted.map((use) => use.factorId),
    counters: sorted.map((use) => use.counter),
    backedUp: sorted.map((use) => use.isBackedUp),
    now: sorted.map((use) => use.now),
  });
  const used = ofFlows(sorted, rowsByPlace(sorted.length, rows), (flow, row) => ({
    flow,
    authVersion: row.accepted_version ?? undefined,
    isRegistered: row.is_known,
    credentials: row.credentials,
  }));
  return unsorted(used);
}
