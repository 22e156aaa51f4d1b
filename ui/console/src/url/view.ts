import { useNavigate, useSearch } from '@tanstack/react-router';
import { checkSearch, type Search, withFilters, withoutEmpty } from './search.ts';

interface ViewState {
  readonly search: Search;
  /** Replaces filters; the list begins with its first page. */
  readonly filter: (changed: Search) => void;
  /** Goes to another state of the same view, which the browser's Back leaves. */
  readonly go: (changed: Search) => void;
}

/** The state of the view, which is the query of its address. */
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
