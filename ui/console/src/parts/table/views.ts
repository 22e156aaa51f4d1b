// The tabs above a list: each stands for some of its filters.

import { type Search, withFilters } from '../../url/search.ts';
import type { View } from './column.ts';

const valueIn = (search: Search, name: string) => search[name] ?? '';

/** Returns the view with the most filters that are all set, which is the first one if no other matches. */
export function openView(views: readonly View[], search: Search): View | undefined {
  const matching = views.filter(({ filters }) =>
    Object.entries(filters).every(([name, value]) => valueIn(search, name) === value),
  );
  return matching.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
}

const sizeOf = ({ filters }: View) => Object.keys(filters).length;

/** Returns the state for another view: its filters replace those of the open one, and others remain. */
export function searchOfView(view: View, open: View | undefined, search: Search): Search {
  const gone = Object.keys(open?.filters ?? {}).map((name) => [name, ''] as const);
  return withFilters(search, { ...Object.fromEntries(gone), ...view.filters });
}
