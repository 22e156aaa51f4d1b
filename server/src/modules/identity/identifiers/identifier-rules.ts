import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { StoredUndo } from './undo-store.ts';

/** The maximum number of identifiers of a user. */
export const MAX_IDENTIFIERS = 16;

/**
 * Whether an identifier can be removed. Without an identifier, the user could not log in. Without a verified one, a
 * reader of another identifier's email could take over the account.
 */
export function mayRemove(
  present: readonly IdentifierRecord[],
  remaining: readonly IdentifierRecord[],
): boolean {
  const isVerified = ({ verified }: IdentifierRecord) => verified;
  return remaining.length > 0 && (remaining.some(isVerified) || !present.some(isVerified));
}

/** The range of changes that a token undoes. */
export interface UndoableChanges {
  /** The first change that the address was notified of. Its identifiers and proofs are from before that change. */
  readonly first: StoredUndo;
  readonly last: StoredUndo;
}

/**
 * The changes that the address of an undo was notified of. Any of its messages undoes all of them.
 * @param undos all undos of the user, oldest first
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

/** Whether the account had a proof other than reading email at an address. */
export function hadProof({ secret_hash: hash, factors }: StoredUndo): boolean {
  return hash !== null || factors.length > 0;
}

const SECOND_FACTORS = ['otp', 'pop', 'recovery', 'mfa'];

/**
 * The methods that end the undo: a later login by one of them shows that the user no longer reads the removed address.
 * An attacker might have added the address of a login by email, so it proves nothing if the account had more.
 * @param secretHash the hash of the present password
 * @returns undefined if any login ends it; empty if none does, because an attacker might have set this password
 */
export function endingMethods(
  { secret_hash: before, factors }: StoredUndo,
  secretHash: string | undefined,
): readonly string[] | undefined {
  if (before !== null) return before === secretHash ? ['pwd'] : [];
  return factors.length > 0 ? SECOND_FACTORS : undefined;
}
