import {
  type AccountExport,
  EXPORTED_LISTS,
  type ExportedList,
} from '@keywright/contract/records/account-export';

const LARGEST_BYTES = 4 * 1024 * 1024;

/**
 * Halves the longest lists until the whole is small enough: their last entries, which are the oldest, go first.
 * @param largest in bytes of JSON
 */
export function fitting(whole: AccountExport, largest = LARGEST_BYTES): AccountExport {
  if (sizeOf(whole) <= largest) return whole;
  const longest = longestOf(whole);
  const half = whole[longest].slice(0, Math.floor(whole[longest].length / 2));
  const shortened = [...new Set([...whole.shortened, longest])];
  return fitting({ ...whole, shortened, [longest]: half }, largest);
}

/** @throws Error where nothing is left to leave out: the records of a user are bounded by themselves */
function longestOf(data: AccountExport): ExportedList {
  const [longest = 'log'] = EXPORTED_LISTS.toSorted(
    (one, other) => sizeOf(data[other]) - sizeOf(data[one]),
  );
  if (data[longest].length === 0) throw new Error('The export of an empty account is too large.');
  return longest;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
