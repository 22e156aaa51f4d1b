import {
  guessFlowCodes,
  type GuessFlowCodesRow,
} from '../../../../sql/authentication/kw_guess_flow_codes.ts';
import { batched } from '../../../platform/db/batch.ts';
import { rowsByPlace, writeTogether } from '../../../platform/db/writes.ts';
import { prefixOf } from '../../../tenancy/counters.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { CODE_LIMITS, GUESSES, MESSAGE_KINDS } from './challenge-rules.ts';
import type { TakenGuess } from './challenge-store.ts';
import { argumentsOf, type FlowRef, storedFlow } from './load-store.ts';
import type { StoredFlow } from './store.ts';

interface Guess extends FlowRef {
  readonly now: Date;
}

/** A flow, and the guess that was taken of its message. */
export interface GuessedFlow {
  readonly flow: StoredFlow;
  /** Undefined: the message has no guess left, or there is none. */
  readonly guess: TakenGuess | undefined;
}

/** Loads a flow and takes a guess of its message, before the code is compared. */
export type GuessCode = (guess: Guess) => Promise<GuessedFlow | undefined>;

/** Concurrent guesses, of any tenants, are one statement and one commit. */
export function createGuessCode(gate: Gate): GuessCode {
  const guessMany = (some: readonly Guess[]) =>
    writeTogether(some, (guesses) => guessTogether(gate, guesses));
  return batched(guessMany, { size: 32, flights: 2 });
}

async function guessTogether(
  gate: Gate,
  guesses: readonly Guess[],
): Promise<(GuessedFlow | undefined)[]> {
  const rows = await gate.callMany(guessFlowCodes, {
    ...argumentsOf(guesses),
    now: guesses.map((one) => one.now),
    kinds: MESSAGE_KINDS,
    guessesLimit: GUESSES,
    subjectPrefix: prefixOf('code'),
    subjectLimit: CODE_LIMITS.login_attempts_limit,
    windowSeconds: CODE_LIMITS.login_attempts_window,
  });
  return rowsByPlace(guesses.length, rows).map(
    ([row], index) =>
      row && {
        flow: storedFlow(guesses[index] as Guess, row),
        guess: takenOf(row),
      },
  );
}

function takenOf(row: GuessFlowCodesRow): TakenGuess | undefined {
  const { challenge_id: id, kind, guesses_left: guessesLeft } = row;
  if (id === null || kind === null || guessesLeft === null) return undefined;
  return {
    challenge_id: id,
    kind: kind as TakenGuess['kind'],
    user_id: row.sent_to,
    auth_version: row.sent_version,
    guesses_left: guessesLeft,
    retry_after: row.retry_after,
  };
}
