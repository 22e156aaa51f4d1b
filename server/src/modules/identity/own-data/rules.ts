import {
  type AccountExport,
  EXPORTED_LISTS,
  type ExportedList,
} from '@keywright/contract/records/account-export';

const LARGEST_BYTES = 4 * 1024 * 1024;

/**
 * Halves the longest lists until the whole is small enough: their last entries, which are the oldest, go first.
 * @param largest in bytes of JSON
 * @throws Error where nothing is left to leave out: the records of a user are bounded by themselves
 */
export function fitting(whole: AccountExport, largest = LARGEST_BYTES): AccountExport {
  // Each list is measured once, and again when it has changed: they are long, and all requests wait meanwhile.
  const sizes = new Map(EXPORTED_LISTS.map((name) => [name, sizeOf(whole[name])]));
  let size = sizeOf(whole);
  let data = whole;
  while (size > largest) {
    const longest = longestOf(sizes);
    const before = data[longest];
    if (before.length === 0) throw new Error('The export of an empty account is too large.');
    const half = before.slice(0, Math.floor(before.length / 2));
    const shortened = [...new Set([...data.shortened, longest])];
    const left = sizeOf(half);
    size += left - (sizes.get(longest) ?? 0) + sizeOf(shortened) - sizeOf(data.shortened);
    sizes.set(longest, left);
    data = { ...data, shortened, [longest]: half };
  }
  return data;
}

function longestOf(sizes: ReadonlyMap<ExportedList, number>): ExportedList {
  const [longest] = [...sizes].reduce((most, one) => (one[1] > most[1] ? one : most));
  return longest;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
