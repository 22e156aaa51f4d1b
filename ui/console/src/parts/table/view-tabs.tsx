import { useCall } from '../../api/queries.ts';
import type { InputOf, ListId } from '../../api/routes.ts';
import { useTexts } from '../../texts/texts.tsx';
import { usePath, useTenant } from '../../url/params.ts';
import type { Search } from '../../url/search.ts';
import { useView } from '../../url/view.ts';
import { Count } from '../count.tsx';
import { Place } from '../place.tsx';
import type { View } from './column.ts';
import { moveInLine } from './line.ts';
import { openView, searchOfView } from './views.ts';

export interface TabsProps {
  /** Name of the list. */
  readonly label: string;
  readonly views: readonly View[];
  /** The names of all filters of the list. */
  readonly names: readonly string[];
  readonly hasViewCounts: boolean;
  /** The number of records in the list as it is filtered; undefined while it loads, null if it could not be read. */
  readonly total: number | undefined | null;
  readonly route: ListId;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly fixed?: Readonly<Record<string, string>> | undefined;
}

/** Tabs with often used filters, and how many records each has unless other filters apply. Arrow keys move between them. */
export function ViewTabs({ label, views, names, hasViewCounts, total, ...list }: TabsProps) {
  const { say } = useTexts();
  const { search } = useView();
  const path = usePath();
  const open = openView(views, search);
  // The list itself counts the open view. A view that is limited further is not counted.
  const isWhole = names.every((name) => search[name] === open?.filters[name]);
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={moveInLine}>
      {views.map((view) => (
        <Place
          key={view.title}
          to={path}
          search={searchOfView(view, open, search)}
          rest={{
            role: 'tab',
            'aria-selected': view === open,
            tabIndex: view === open ? 0 : -1,
            'data-stop': '',
          }}
        >
          {say(view.title)}
          {hasViewCounts &&
            isWhole &&
            (view === open ? (
              <Number count={total} />
            ) : (
              <ViewCount {...list} filters={view.filters} />
            ))}
        </Place>
      ))}
    </div>
  );
}

interface CountProps extends Pick<TabsProps, 'route' | 'params' | 'fixed'> {
  readonly filters: Search;
}

/** A failure is not reported, since the list below reports its own. */
function ViewCount({ route, params, fixed, filters }: CountProps) {
  const input = { ...(params && { params }), query: { ...fixed, ...filters, limit: 1 } };
  const { data, error } = useCall(useTenant(), route, input as InputOf<ListId>);
  return <Number count={error ? null : data?.meta.total} />;
}

/** Reserves the space of the number until it is known. */
function Number({ count }: { readonly count: TabsProps['total'] }) {
  if (count === null) return null;
  return <span className="count">{count === undefined ? '\u00A0' : <Count count={count} />}</span>;
}
