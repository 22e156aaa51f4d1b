/** Items sorted by a key, and the way back to the order that they came in for what answers to each. */
export function inOrder<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
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
