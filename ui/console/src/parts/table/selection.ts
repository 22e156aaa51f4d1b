import { type ReactNode, useState } from 'react';

/** What can be done with several rows together. */
export interface Bulk<Item> {
  /** What a row is called, for those who hear its box. */
  readonly nameOf: (item: Item) => string;
  /** What is shown once something is selected. @param forget takes rows, by key, out of the selection */
  readonly bar: (chosen: readonly Item[], forget: (keys: readonly string[]) => void) => ReactNode;
}

export interface Selection<Item> {
  readonly chosen: ReadonlyMap<string, Item>;
  readonly toggle: (items: readonly Item[], isChosen: boolean) => void;
  readonly forget: (keys: readonly string[]) => void;
}

/** The rows that are selected, also on the pages before and after. */
export function useSelection<Item>(keyOf: (item: Item) => string): Selection<Item> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Item>>(new Map());
  return {
    chosen,
    toggle: (items, isChosen) =>
      setChosen((before) => {
        const next = new Map(before);
        for (const item of items) {
          if (isChosen) next.set(keyOf(item), item);
          else next.delete(keyOf(item));
        }
        return next;
      }),
    forget: (keys) =>
      setChosen((before) => new Map([...before].filter(([key]) => !keys.includes(key)))),
  };
}
