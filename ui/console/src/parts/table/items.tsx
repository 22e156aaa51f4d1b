import type { Column } from './column.ts';
import { Head } from './head.tsx';
import { Rows } from './rows.tsx';

interface Props<Item> {
  /** Name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
}

/** A table of loaded items that are part of another record. */
export function ItemTable<Item>({ label, columns, items, keyOf }: Props<Item>) {
  return (
    <div className="table-frame">
      <table className="table" role="table" aria-label={label}>
        <Head columns={columns} />
        <Rows items={items} columns={columns} keyOf={keyOf} />
      </table>
    </div>
  );
}
