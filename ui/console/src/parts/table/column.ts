import type { ReactNode } from 'react';
import type { TextKey } from '../../texts/locales.ts';

export interface Column<Item> {
  readonly title: TextKey;
  /** In the first column, the row's name and link. */
  readonly cell: (item: Item) => ReactNode;
}

export interface Filter {
  /** The query field. */
  readonly name: string;
  readonly label: TextKey;
  /** Without choices, text is sent while the user types. */
  readonly choices?: readonly string[];
  /** Label for no choice; default: any. */
  readonly usual?: TextKey;
  /** Labels of the choices; `raw`: they are names chosen by users. */
  readonly words?: Readonly<Record<string, TextKey>> | 'raw';
  /** Sends an ID only when it is complete. */
  readonly isExact?: boolean;
  /** A date with a time of day. */
  readonly isMoment?: boolean;
}
