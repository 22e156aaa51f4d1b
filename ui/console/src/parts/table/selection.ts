import { type ReactNode, useState } from 'react';

/** The actions on several rows together. */
export interface Bulk<Item> {
  /** Name of a row, for screen reader users. */
  readonly nameOf: (item: Item) => string;
  /** Shown once rows are selected. @param forget removes rows from the selection, by key */
  readonly bar: (chosen: readonly Item[], forget: (keys: readonly string[]) => void) => ReactNode;
}

export interface Selection<Item> {
  readonly chosen: ReadonlyMap<string, Item>;
  readonly toggle: (items: readonly Item[], isChosen: boolean) => void;
  readonly forget: (keys: readonly string[]) => void;
}

/** Returns the selected rows, including those on other pages. */
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
