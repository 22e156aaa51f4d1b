import type { ReactNode } from 'react';
import type { TextKey } from '../../texts/locales.ts';
import type { Search } from '../../url/search.ts';

export interface Column<Item> {
  readonly title: TextKey;
  /** In the first column, the row's name and link. */
  readonly cell: (item: Item) => ReactNode;
  /** The field that the API sorts by. */
  readonly sort?: string;
  /** Whether the column has an avatar and two lines. */
  readonly isPerson?: boolean;
}

/** A property that limits a list. Without choices and records, its value is typed. */
export interface Filter {
  /** The query field. */
  readonly name: string;
  readonly label: TextKey;
  readonly choices?: readonly string[];
  /** Labels of the choices; `raw`: they are names chosen by users. */
  readonly words?: Readonly<Record<string, TextKey>> | 'raw';
  /** The records whose names are the choices. */
  readonly of?: Named;
  /** Whether other values can be typed, such as the ID of another record. */
  readonly isOpen?: boolean;
  /** A date with a time of day. */
  readonly isMoment?: boolean;
}

type Named = 'roles' | 'workspaces' | 'clients' | 'users';

/** The field for any text, above a list. */
export interface TextSearch {
  /** The query field. */
  readonly name: string;
  readonly label: TextKey;
}

/** Filters that are often used, as a tab above a list. */
export interface View {
  readonly title: TextKey;
  readonly filters: Search;
}
