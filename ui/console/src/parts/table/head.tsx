import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { Icon } from '../icon.tsx';
import type { Column } from './column.ts';
import { moveInLine } from './line.ts';

/** The first click on a time shows the newest first; on a name, A. */
const FROM_THE_END = /_at$/;

/** The order of a list that the user has not sorted, unless its screen has another one. */
const NEWEST_FIRST = '-created_at';

interface Props<Item> {
  readonly columns: readonly Column<Item>[];
  /** The order of the list until the user sorts it. Default: newest first */
  readonly usual?: string | undefined;
  /** In front of the first title */
  readonly pick?: ReactNode;
}

/** The titles of the columns. A click on one sorts the list; arrow keys move between those that can be sorted. */
export function Head<Item>({ columns, usual = NEWEST_FIRST, pick }: Props<Item>) {
  const { say } = useTexts();
  const { search } = useView();
  const order = search['sort'] ?? usual;
  const isSorted = columns.some(
    ({ sort }) => sort !== undefined && order.replace('-', '') === sort,
  );
  const first = columns.find(({ sort }) => sort !== undefined);
  return (
    <thead role="rowgroup">
      <tr role="row" onKeyDown={moveInLine}>
        {columns.map((column, place) => (
          <th
            key={column.title}
            role="columnheader"
            scope="col"
            className={column.title === 'tools' ? 'tools' : undefined}
            aria-sort={sortOf(column, order)}
          >
            {place === 0 && pick}
            {column.sort === undefined ? (
              <span className={column.title === 'tools' ? 'unseen' : undefined}>
                {say(column.title)}
              </span>
            ) : (
              <Sort
                title={say(column.title)}
                field={column.sort}
                order={order}
                usual={usual}
                isStop={isSorted ? isBy(column, order) : column === first}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const isBy = <Item,>({ sort }: Column<Item>, order: string) =>
  sort !== undefined && order.replace('-', '') === sort;

function sortOf<Item>(column: Column<Item>, order: string): 'ascending' | 'descending' | undefined {
  if (!isBy(column, order)) return undefined;
  return order.startsWith('-') ? 'descending' : 'ascending';
}

interface SortProps {
  readonly title: string;
  /** The field that the API sorts by. */
  readonly field: string;
  /** The present order of the list. */
  readonly order: string;
  readonly usual: string;
  /** Whether the Tab key stops here. */
  readonly isStop: boolean;
}

function Sort({ title, field, order, usual, isStop }: SortProps) {
  const { filter } = useView();
  const isCurrent = order.replace('-', '') === field;
  const beginning = FROM_THE_END.test(field) ? `-${field}` : field;
  const opposite = order.startsWith('-') ? field : `-${field}`;
  const next = isCurrent ? opposite : beginning;
  return (
    <button
      type="button"
      className="sort"
      data-stop=""
      tabIndex={isStop ? 0 : -1}
      onClick={() => filter({ sort: next === usual ? '' : next })}
    >
      {title}
      {isCurrent && <Icon name={order.startsWith('-') ? 'arrow-down' : 'arrow-up'} />}
    </button>
  );
}
