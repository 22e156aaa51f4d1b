import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { StoredUndo } from './undo-store.ts';

/** The most identifiers of one user. */
export const MAX_IDENTIFIERS = 16;

/**
 * Whether an identifier may be removed. Without an identifier, the user could not log in. Without a verified one, a
 * reader of another identifier's mail could take over the account.
 */
export function mayRemove(
  present: readonly IdentifierRecord[],
  remaining: readonly IdentifierRecord[],
): boolean {
  const isVerified = ({ verified }: IdentifierRecord) => verified;
  return remaining.length > 0 && (remaining.some(isVerified) || !present.some(isVerified));
}

/** The changes that a token undoes. */
export interface UndoableChanges {
  /** The first change of which the address was notified. The identifiers and the proofs are those from before it. */
  readonly first: StoredUndo;
  readonly last: StoredUndo;
}

/**
 * The changes of which an address was notified. One message also undoes all later changes.
 * @param undos all undos of the user, the first change first
 * @returns undefined if the undo does not exist, or has expired
 */
export function undoableChangesOf(
  id: string,
  undos: readonly StoredUndo[],
  now: Date,
): UndoableChanges | undefined {
  const usable = undos.filter((undo) => undo.expires_at > now);
  const used = usable.find((undo) => undo.id === id);
  const notified = usable.filter((undo) => undo.destination === used?.destination);
  const [first, last] = [notified[0], notified.at(-1)];
  return first && last && { first, last };
}

/** Whether the account had a proof other than reading the mail of an address. */
export function hadProof({ secret_hash: hash, factors }: StoredUndo): boolean {
  return hash !== null || factors.length > 0;
}

const SECOND_FACTORS = ['otp', 'pop', 'recovery', 'mfa'];

/**
 * The methods that end the undo: a later login by one of them shows that its user no longer reads the removed address.
 * A login by the mail of an address that an attacker may have added proves nothing if the account had more.
 * @param secretHash of the present password
 * @returns undefined: any login; empty: no login, because an attacker may have set this password
 */
export function endingMethods(
  { secret_hash: before, factors }: StoredUndo,
  secretHash: string | undefined,
): readonly string[] | undefined {
  if (before !== null) return before === secretHash ? ['pwd'] : [];
  return factors.length > 0 ? SECOND_FACTORS : undefined;
}
