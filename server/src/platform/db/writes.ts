import { isUnavailable } from './failures.ts';

/**
 * Writes many items in one commit, and returns their results in order. If the commit fails, nothing was written; each
 * item is then written separately, so that one failure does not affect the others.
 */
export async function writeTogether<Item, Answer>(
  items: readonly Item[],
  write: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<readonly (Answer | Promise<Answer>)[]> {
  try {
    return await write(items);
  } catch (error) {
    // After a broken connection, the outcome of the write is unknown.
    if (items.length === 1 || isUnavailable(error)) throw error;
    return items.map(async (one) => (await write([one]))[0] as Answer);
  }
}

/** Sorts items by a key; `unsorted` returns results to the items' original order. */
export function sortedBatch<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const keyed = items.map((item, index) => ({ item, index, key: keyOf(item) }));
  const order = keyed.toSorted((one, other) =>
    one.key < other.key ? -1 : Number(one.key > other.key),
  );
  return {
    sorted: order.map((one) => one.item),
    unsorted: <Answer>(answers: readonly Answer[]): Answer[] => {
      const back = Array.from<Answer>({ length: items.length });
      order.forEach(({ index }, place) => {
        back[index] = answers[place] as Answer;
      });
      return back;
    },
  };
}

/** Groups rows by item; `place` is the 1-based position of a row's item. */
export function rowsByPlace<Row extends { readonly place: number }>(
  count: number,
  rows: readonly Row[],
): Row[][] {
  const placed = Array.from({ length: count }, (): Row[] => []);
  for (const row of rows) placed[row.place - 1]?.push(row);
  return placed;
}

/** Pairs each item with its first row; `place` is the 1-based position of a row's item. */
export function withFirstRow<Item, Row extends { readonly place: number }>(
  items: readonly Item[],
  rows: readonly Row[],
): (readonly [Item, Row | undefined])[] {
  const placed = rowsByPlace(items.length, rows);
  return items.map((item, index) => [item, placed[index]?.[0]]);
}
