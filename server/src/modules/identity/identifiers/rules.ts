import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { Undo } from './undo-store.ts';

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

/**
 * What a user's identifiers become: those from before the first change that the same address was told of, so that one
 * message undoes all later changes, too.
 * @param undos all of the user, the first change first
 * @returns undefined if there is no such undo any more
 */
export function restoredBy(
  id: string,
  undos: readonly Undo[],
  now: Date,
): readonly IdentifierRecord[] | undefined {
  const usable = undos.filter((one) => one.expires_at > now);
  const used = usable.find((one) => one.id === id);
  return used && usable.find((one) => one.destination === used.destination)?.identifiers;
}
