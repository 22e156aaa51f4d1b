import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { StoredUndo } from './undo-store.ts';

/** Of a user. */
export const MAX_IDENTIFIERS = 16;

/**
 * Without an identifier nobody could log in; without a verified one, the account would pass to whoever reads the mail of
 * another.
 */
export function mayRemove(
  present: readonly IdentifierRecord[],
  left: readonly IdentifierRecord[],
): boolean {
  const isVerified = ({ verified }: IdentifierRecord) => verified;
  return left.length > 0 && (left.some(isVerified) || !present.some(isVerified));
}

/** What a token undoes. */
export interface Undoing {
  /** The first change that the address was told of: the identifiers and the proofs are those from before it. */
  readonly first: StoredUndo;
  /** The last one. */
  readonly last: StoredUndo;
}

/**
 * The changes that an address was told of, so that one message undoes all later ones, too.
 * @param undos all of the user, the first change first
 * @returns undefined if there is no such undo any more
 */
export function undoingOf(
  id: string,
  undos: readonly StoredUndo[],
  now: Date,
): Undoing | undefined {
  const usable = undos.filter((one) => one.expires_at > now);
  const used = usable.find((one) => one.id === id);
  const told = usable.filter((one) => one.destination === used?.destination);
  const [first, last] = [told[0], told.at(-1)];
  return first && last && { first, last };
}

/** Whether the account had a proof that reading the mail of an address is not. */
export function hadProof({ secret_hash: hash, factors }: StoredUndo): boolean {
  return hash !== null || factors.length > 0;
}

const SECOND_FACTORS = ['otp', 'pop', 'recovery', 'mfa'];

/**
 * The methods of which a login after the address was removed proves one, so that nothing is undone any more: its user
 * has moved. A login by the mail of an address that a stranger may have added proves nothing where the account had more.
 * @param secretHash of the present password
 * @returns undefined: any login; empty: none, since a stranger may have set this password
 */
export function endingMethods(
  { secret_hash: before, factors }: StoredUndo,
  secretHash: string | undefined,
): readonly string[] | undefined {
  if (before !== null) return before === secretHash ? ['pwd'] : [];
  return factors.length > 0 ? SECOND_FACTORS : undefined;
}
