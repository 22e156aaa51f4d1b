import { memo, type ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Empty } from '../empty.tsx';
import type { IconName } from '../icon.tsx';
import type { Column } from './column.ts';
import { PickBox, type Picks } from './pick.tsx';

interface Props<Item> {
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  /** The selection, if rows can be selected. */
  readonly picks?: Picks<Item> | undefined;
}

/** Sets the roles explicitly, because browsers do not treat the cards on narrow screens as a table. */
export function Rows<Item>({ items, columns, keyOf, picks }: Props<Item>) {
  const { say } = useTexts();
  return (
    <tbody role="rowgroup">
      {items.map((item) => (
        <tr key={keyOf(item)} role="row">
          {columns.map(({ title, cell }, place) => (
            <td
              key={title}
              role="cell"
              className={title === 'tools' ? 'tools' : undefined}
              data-label={title === 'tools' ? undefined : say(title)}
            >
              {place === 0 && picks ? (
                <PickBox item={item} picks={picks} isChosen={picks.chosen.has(keyOf(item))}>
                  <Cell cell={cell} item={item} />
                </PickBox>
              ) : (
                <Cell cell={cell} item={item} />
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

interface CellProps<Item> extends Pick<Column<Item>, 'cell'> {
  readonly item: Item;
}

function CellOf<Item>({ cell, item }: CellProps<Item>) {
  return cell(item);
}

/** Rendered again only for another record. Otherwise each click on a page with a hundred rows renders all of them. */
const Cell = memo(CellOf) as typeof CellOf;

const SKELETON_ROWS = 10;

interface SkeletonProps {
  readonly columns: readonly Pick<Column<never>, 'title' | 'isPerson'>[];
  /** Whether rows can be selected. */
  readonly hasPicks: boolean;
}

/** Reserves the space of rows, with their shape. */
export function RowsSkeleton({ columns, hasPicks }: SkeletonProps) {
  return (
    <tbody role="rowgroup">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <tr key={row} role="row">
          {columns.map(({ title, isPerson = false }, place) => (
            <td key={title} role="cell" className={title === 'tools' ? 'tools' : undefined}>
              <span className="pick">
                {place === 0 && hasPicks && <span className="skeleton box" />}
                {isPerson && <span className="skeleton face" />}
                {title !== 'tools' && <Lines count={isPerson ? 2 : 1} />}
              </span>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Lines({ count }: { readonly count: number }) {
  return (
    <span className="two-lines">
      {Array.from({ length: count }, (_, line) => (
        <span key={line} className="skeleton" />
      ))}
    </span>
  );
}

interface EmptyProps {
  /** Why the list shows nothing, if there could be something all the same. */
  readonly why?: 'emptyFiltered' | 'emptyPage' | 'emptySoFar' | undefined;
  /** Default: an empty tray */
  readonly icon?: IconName | undefined;
  readonly emptyTitle?: string | undefined;
  readonly empty: ReactNode;
  readonly start?: ReactNode;
  readonly guide?: string | undefined;
}

export function EmptyList({ why, icon = 'inbox', emptyTitle, empty, start, guide }: EmptyProps) {
  const { say } = useTexts();
  if (why) return <Empty icon="search">{say(why)}</Empty>;
  const docs = guide && { docs: `/docs/guide/${guide}` };
  return (
    <Empty icon={icon} title={emptyTitle} action={start} {...docs}>
      {empty}
    </Empty>
  );
}
