import type { ReactNode } from 'react';
import type { TextKey } from '../../texts/catalogue.ts';

export interface Column<Item> {
  readonly title: TextKey;
  /** Of the first column it is the name of the row, and its link. */
  readonly cell: (item: Item) => ReactNode;
}

export interface Filter {
  /** The field of the query. */
  readonly name: string;
  readonly label: TextKey;
  /** A text is sent while it is typed; without choices. */
  readonly choices?: readonly string[];
  /** What no choice means; default: any. */
  readonly usual?: TextKey;
  /** Names of choices; `raw`: they are names that users gave. */
  readonly words?: Readonly<Record<string, TextKey>> | 'raw';
  /** An id is sent when it is whole. */
  readonly isExact?: boolean;
  /** A date with a time of day. */
  readonly isMoment?: boolean;
}
