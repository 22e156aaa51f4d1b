import { isUnavailable } from './failures.ts';

/**
 * Writes many items in one commit; answers in order. After a failure each is written separately, since nothing was
 * written, so that one failure does not affect the others.
 */
export async function writeTogether<Item, Answer>(
  items: readonly Item[],
  write: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<readonly (Answer | Promise<Answer>)[]> {
  try {
    return await write(items);
  } catch (error) {
    // After a broken connection it is unknown whether it was written.
    if (items.length === 1 || isUnavailable(error)) throw error;
    return items.map(async (one) => (await write([one]))[0] as Answer);
  }
}

/** Items sorted by a key, and the way back to the order that they came in for what answers to each. */
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

/** The rows of each item, whose `place` is among the items, from 1. */
export function rowsByPlace<Row extends { readonly place: number }>(
  count: number,
  rows: readonly Row[],
): Row[][] {
  const placed = Array.from({ length: count }, (): Row[] => []);
  for (const row of rows) placed[row.place - 1]?.push(row);
  return placed;
}

/** Each item with the first of its rows, whose `place` is among the items, from 1. */
export function withFirstRow<Item, Row extends { readonly place: number }>(
  items: readonly Item[],
  rows: readonly Row[],
): (readonly [Item, Row | undefined])[] {
  const placed = rowsByPlace(items.length, rows);
  return items.map((item, index) => [item, placed[index]?.[0]]);
}
