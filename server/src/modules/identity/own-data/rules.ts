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
  let size = sizeOf(whole);
  if (size <= largest) return whole;
  // Each list is measured once, and again when it has changed: they are long, and all requests wait meanwhile.
  const lists = new Map(EXPORTED_LISTS.map((name) => [name, measured(whole[name])]));
  const shortened = new Set(whole.shortened);
  while (size > largest) {
    const [name, { list, bytes }] = longestOf(lists);
    if (list.length === 0) throw new Error('The export of an empty account is too large.');
    const half = measured(list.slice(0, Math.floor(list.length / 2)));
    lists.set(name, half);
    // Its name, in quotes and with a comma, is one of those that are shortened.
    size += half.bytes - bytes + (shortened.has(name) ? 0 : name.length + 3);
    shortened.add(name);
  }
  const kept = [...lists].map(([name, { list }]) => [name, list] as const);
  return { ...whole, ...Object.fromEntries(kept), shortened: [...shortened] };
}

interface Measured {
  readonly list: readonly unknown[];
  /** Of its JSON. */
  readonly bytes: number;
}

function measured(list: readonly unknown[]): Measured {
  return { list, bytes: sizeOf(list) };
}

function longestOf(lists: ReadonlyMap<ExportedList, Measured>): [ExportedList, Measured] {
  return [...lists].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most));
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
