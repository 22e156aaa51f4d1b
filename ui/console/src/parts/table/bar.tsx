import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { Button } from '../button.tsx';
import type { Filter, TextSearch, View } from './column.ts';
import { FilterChips } from './filters.tsx';
import { SearchField } from './search-field.tsx';
import { openView } from './views.ts';

interface Props {
  readonly search?: TextSearch | undefined;
  readonly filters: readonly Filter[];
  readonly views?: readonly View[] | undefined;
  /** At the end of the line */
  readonly children?: ReactNode;
}

/** The line above a list: search, filters, and what else can be done with the list. Its state is part of the URL. */
export function Bar({ search: field, filters, views = [], children }: Props) {
  const { say } = useTexts();
  const { search, filter } = useView();
  const open = openView(views, search);
  // The open tab shows the others.
  const shown = filters.filter(({ name }) => open?.filters[name] === undefined);
  const names = [...shown.map(({ name }) => name), ...(field ? [field.name] : [])];
  const clear = () => filter(Object.fromEntries(names.map((name) => [name, ''])));
  return (
    <form className="bar" role="search" onSubmit={(event) => event.preventDefault()}>
      {field && <SearchField field={field} filters={filters} />}
      {filters.length > 0 && <FilterChips filters={filters} shown={shown} />}
      {names.some((name) => search[name]) && (
        <Button kind="ghost" onClick={clear}>
          {say('clearFilters')}
        </Button>
      )}
      {children && <div className="end">{children}</div>}
    </form>
  );
}
