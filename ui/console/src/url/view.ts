import { useNavigate, useSearch } from '@tanstack/react-router';
import { checkSearch, type Search, withFilters, withoutEmpty } from './search.ts';

interface ViewState {
  readonly search: Search;
  /** Replaces filters. The list starts at its first page. */
  readonly filter: (changed: Search) => void;
  /** Goes to another state of the same view. The browser's Back returns from it. */
  readonly go: (changed: Search) => void;
}

/** Returns the state of the view, which is the query of its URL. */
export function useView(): ViewState {
  const search = checkSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  return {
    search,
    filter: (changed) =>
      void navigate({ to: '.', search: withFilters(search, changed), replace: true }),
    go: (changed) => void navigate({ to: '.', search: withoutEmpty({ ...search, ...changed }) }),
  };
}
