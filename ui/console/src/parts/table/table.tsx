import type { ListMeta } from '@keywright/sdk';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { type PendingIn, useList } from '../../api/queries.ts';
import type { Input, InputOf, ItemOf, ListId } from '../../api/routes.ts';
import { useTenant } from '../../url/params.ts';
import { listQueryOf, pageNumberOf, type Search } from '../../url/search.ts';
import { useView } from '../../url/view.ts';
import { ApiCall } from '../api-call.tsx';
import type { IconName } from '../icon.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { UserNames } from '../user-name.tsx';
import { Bar } from './bar.tsx';
import type { Column, Filter, TextSearch, View } from './column.ts';
import { Head } from './head.tsx';
import { moveFocus } from './keys.ts';
import { Pager } from './pager.tsx';
import { ColumnChoice, useShownColumns } from './column-choice.tsx';
import { useNamed } from './named.ts';
import { PickAll } from './pick.tsx';
import { type RowActions, RowMenu } from './row-menu.tsx';
import { EmptyList, Rows, RowsSkeleton } from './rows.tsx';
import { type Bulk, type Selection, useSelection } from './selection.ts';
import { type TabsProps, ViewTabs } from './view-tabs.tsx';

interface Props<Id extends ListId> {
  readonly route: Id;
  /** Name of the table. */
  readonly label: string;
  readonly columns: readonly Column<ItemOf<Id>>[];
  readonly keyOf: (item: ItemOf<Id>) => string;
  /** The field that searches the list. */
  readonly search?: TextSearch;
  readonly filters?: readonly Filter[];
  /** The tabs, if the list is a screen. */
  readonly views?: readonly View[];
  /** Whether each tab shows its number of records, which is read for it. Default: yes */
  readonly hasViewCounts?: boolean;
  readonly params?: Readonly<Record<string, string>>;
  /** Query fields that the user cannot change here. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The order of the list until the user sorts it. Default: newest first */
  readonly usual?: string;
  /** Whether columns can be hidden. */
  readonly hasColumnChoice?: boolean;
  /** At the end of the line above the list, such as an export */
  readonly tools?: ReactNode;
  /** Between that line and the rows */
  readonly notice?: ReactNode;
  /** IDs of the records in a row. Callers who can read them see their names. */
  readonly usersIn?: (item: ItemOf<Id>) => readonly (string | null)[];
  /** Whether everything is loaded that the rows show besides their records. Default: yes */
  readonly isReady?: boolean;
  /** The pending work in the rows. The rows are read again when it is due. */
  readonly pendingIn?: PendingIn<ItemOf<Id>>;
  /** The menu of each row. */
  readonly actions?: RowActions<ItemOf<Id>>;
  /** The actions on several rows together. */
  readonly bulk?: Bulk<ItemOf<Id>>;
  /** Shown above the sentence of an empty list. */
  readonly icon?: IconName;
  /** Heading of an empty list. */
  readonly emptyTitle?: string;
  /** Shown for an empty list: one sentence about its benefit. */
  readonly empty: ReactNode;
  /** The action that adds the first record to an empty list. */
  readonly start?: ReactNode;
  /** The guide that an empty list links to. */
  readonly guide?: string;
}

/** Shows a list of the API, page by page. The URL contains the filters, the order and the page. */
export function Table<Id extends ListId>(props: Props<Id>) {
  const { route, filters = [], params, fixed, usual, bulk, usersIn, isReady = true } = props;
  const columns = useColumns(props);
  const selection = useSelection(props.keyOf);
  const tenant = useTenant();
  const { search } = useView();
  const names = [...filters, ...(props.search ? [props.search] : [])].map(({ name }) => name);
  const sorts = columns.some(({ sort }) => sort !== undefined) ? ['sort'] : [];
  const query = {
    ...(usual && { sort: usual }),
    ...listQueryOf(search, [...names, ...sorts]),
    ...fixed,
  };
  const input: Input = { ...(params && { params }), query };
  const list = useList(tenant, route, input as InputOf<Id>, props.pendingIn);
  const read = isReady ? list.data?.items : undefined;
  // Rows that are in the cache are rendered after the click that shows them, which otherwise waits for a hundred.
  const items = useDeferredValue(read) ?? read;
  const named = useNamed(items, usersIn);
  // Content below the rows appears together with them, so that no row pushes it down.
  const isWaiting = list.isPending || (list.data && named.items === undefined);
  const why = whyEmpty(search, names, list.data?.meta);
  const isEmpty = list.data?.items.length === 0;
  const isBare = isEmpty && why === undefined && !list.isPlaceholderData;
  return (
    <>
      {!isBare && <Above {...props} total={totalOf(list)} />}
      {list.error ? (
        <ProblemNote problem={list.error} route={route} onRetry={() => void list.refetch()} />
      ) : isEmpty ? (
        <EmptyList {...props} why={why} />
      ) : (
        <UserNames value={named.names}>
          <Grid
            {...props}
            columns={columns}
            selection={selection}
            items={named.items}
            isStale={list.isPlaceholderData || named.isPending || items !== read}
          />
        </UserNames>
      )}
      {list.data && !isWaiting && (!isEmpty || why === 'emptyPage' || why === 'emptySoFar') && (
        <Pager meta={list.data.meta} shown={list.data.items.length} />
      )}
      {bulk?.bar([...selection.chosen.values()], selection.forget)}
      {!isWaiting && <ApiCall route={route} input={input} />}
    </>
  );
}

/** The number of records; undefined while they load, null if they could not be read. */
function totalOf<Id extends ListId>(list: ReturnType<typeof useList<Id>>) {
  if (list.error) return null;
  return list.isPlaceholderData ? undefined : list.data?.meta.total;
}

/** Returns the shown columns, with the menu of each row at the end. */
function useColumns<Id extends ListId>(props: Props<Id>): readonly Column<ItemOf<Id>>[] {
  const { columns, hasColumnChoice = false, actions, keyOf } = props;
  const chosen = useShownColumns(columns);
  const shown = hasColumnChoice ? chosen : columns;
  const tools = useMemo((): Column<ItemOf<Id>> | undefined => {
    if (!actions) return undefined;
    const cell = (item: ItemOf<Id>) => (
      <RowMenu name={actions.nameOf(item)} id={keyOf(item)}>
        {actions.items?.(item)}
      </RowMenu>
    );
    return { title: 'tools', cell };
  }, [actions, keyOf]);
  return tools ? [...shown, tools] : shown;
}

/** The tabs, and the line with search and filters. */
function Above<Id extends ListId>(props: Props<Id> & Pick<TabsProps, 'total'>) {
  const { route, label, columns, search, filters = [], views, params, fixed, tools } = props;
  const { hasColumnChoice = false, hasViewCounts = true, notice, total } = props;
  const names = [...filters, ...(search ? [search] : [])].map(({ name }) => name);
  const hasBar = search || filters.length > 0 || hasColumnChoice || tools;
  return (
    <>
      {views && (
        <ViewTabs {...{ label, views, route, params, fixed, names, hasViewCounts, total }} />
      )}
      {hasBar && (
        <Bar search={search} filters={filters} views={views}>
          {hasColumnChoice && <ColumnChoice columns={columns} />}
          {tools}
        </Bar>
      )}
      {notice}
    </>
  );
}

/** Returns why a list that is not empty shows nothing. */
function whyEmpty(search: Search, filters: readonly string[], meta: ListMeta | undefined) {
  // Those read so far do not match.
  if (meta?.next_cursor) return 'emptySoFar';
  // The items of this page are gone in the meantime.
  if (meta && pageNumberOf(search, meta.page) > 1) return 'emptyPage';
  return filters.some((name) => search[name]) ? 'emptyFiltered' : undefined;
}

interface GridProps<Id extends ListId> extends Props<Id> {
  /** Undefined while they load; their space is reserved. */
  readonly items: readonly ItemOf<Id>[] | undefined;
  readonly isStale: boolean;
  readonly selection: Selection<ItemOf<Id>>;
}

function Grid<Id extends ListId>(props: GridProps<Id>) {
  const { label, columns, keyOf, items, usual, isStale, bulk, selection } = props;
  const picks = bulk && { nameOf: bulk.nameOf, ...selection };
  return (
    <div className="table-frame" onKeyDown={moveFocus}>
      <table
        className="table"
        role="table"
        aria-label={label}
        aria-busy={isStale || items === undefined}
      >
        <Head
          columns={columns}
          usual={usual}
          pick={picks && <PickAll items={items ?? []} picks={picks} keyOf={keyOf} />}
        />
        {items === undefined ? (
          <RowsSkeleton columns={columns} hasPicks={bulk !== undefined} />
        ) : (
          <Rows items={items} columns={columns} keyOf={keyOf} picks={picks} />
        )}
      </table>
    </div>
  );
}
