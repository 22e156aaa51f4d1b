import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import type { Bulk, Selection } from './selection.ts';

export type Picks<Item> = Selection<Item> & Pick<Bulk<Item>, 'nameOf'>;

interface PickProps<Item> {
  readonly item: Item;
  readonly picks: Picks<Item>;
  readonly isChosen: boolean;
  /** The name of the row. */
  readonly children: ReactNode;
}

/** The checkbox that selects a row, in front of its name. */
export function PickBox<Item>({ item, picks, isChosen, children }: PickProps<Item>) {
  const { say } = useTexts();
  return (
    <span className="pick">
      <span className="check">
        <input
          type="checkbox"
          aria-label={say('select', { name: picks.nameOf(item) })}
          checked={isChosen}
          onChange={(event) => picks.toggle([item], event.target.checked)}
        />
      </span>
      {children}
    </span>
  );
}

interface AllProps<Item> {
  readonly items: readonly Item[];
  readonly picks: Picks<Item>;
  readonly keyOf: (item: Item) => string;
}

/** Selects all rows of the page. */
export function PickAll<Item>({ items, picks, keyOf }: AllProps<Item>) {
  const { say } = useTexts();
  return (
    <span className="check">
      <input
        type="checkbox"
        aria-label={say('selectPage')}
        disabled={items.length === 0}
        checked={items.length > 0 && items.every((item) => picks.chosen.has(keyOf(item)))}
        onChange={(event) => picks.toggle(items, event.target.checked)}
      />
    </span>
  );
}
