import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DATA_FILE = 'docs/comparison.json';

type Value = 'yes' | 'no' | 'partly' | 'text';

/** What a product offers. `partly` and `text` have a note. */
export interface Cell {
  readonly value: Value;
  readonly note?: string;
  /** The page that shows it. */
  readonly source: string;
}

/** What Keywright offers. */
export type OwnCell =
  | { readonly value: 'no'; readonly note?: string }
  | {
      readonly value: Exclude<Value, 'no'>;
      readonly note?: string;
      /** The page that describes the feature. */
      readonly guide: string;
      /** The words by which the page and each proof name the feature. */
      readonly names: readonly string[];
      /** Tests that fail when this is no longer true. */
      readonly proof: readonly string[];
    };

export interface Row {
  readonly group: string;
  readonly id: string;
  readonly title: string;
  /** The title in the README, if the README shows the row. */
  readonly readme?: string;
  readonly keywright: OwnCell;
  /** By the ID of the product. A product that is missing here is unknown. */
  readonly others: Readonly<Record<string, Cell>>;
}

interface Product {
  readonly id: string;
  readonly name: string;
}

export interface Comparison {
  /** The day on which all sources were read. */
  readonly checked: string;
  readonly products: readonly Product[];
  readonly rows: readonly Row[];
}

export function readComparison(root: string): Comparison {
  return JSON.parse(readFileSync(join(root, DATA_FILE), 'utf8')) as Comparison;
}
