import type { ListMeta } from '@keywright/sdk';
import type { ReactNode } from 'react';
import { type PendingIn, useList } from '../../api/queries.ts';
import type { Input, InputOf, ItemOf, ListId } from '../../api/routes.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { listQueryOf, pageNumberOf, type Search } from '../../url/search.ts';
import { useView } from '../../url/view.ts';
import { ApiCall } from '../api-call.tsx';
import type { IconName } from '../icon.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { UserNames } from '../user-name.tsx';
import type { Column, Filter } from './column.ts';
import { Filters } from './filters.tsx';
import { moveFocus } from './keys.ts';
import { Pager } from './pager.tsx';
import { ColumnChoice, useShownColumns } from './column-choice.tsx';
import { useNamed } from './named.ts';
import { PickAll } from './pick.tsx';
import { EmptyList, Rows, RowsSkeleton } from './rows.tsx';
import { type Bulk, type Selection, useSelection } from './selection.ts';

interface Props<Id extends ListId> {
  readonly route: Id;
  /** Name of the table. */
  readonly label: string;
  readonly columns: readonly Column<ItemOf<Id>>[];
  readonly keyOf: (item: ItemOf<Id>) => string;
  readonly filters?: readonly Filter[];
  readonly params?: Readonly<Record<string, string>>;
  /** Query fields that the user cannot change here. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Whether columns can be hidden. */
  readonly hasColumnChoice?: boolean;
  /** IDs of the users in a row. Callers who can read users see their names. */
  readonly usersIn?: (item: ItemOf<Id>) => readonly (string | null)[];
  /** The pending work in the rows. The rows are read again when it is due. */
  readonly pendingIn?: PendingIn<ItemOf<Id>>;
  /** The actions on several rows together. */
  readonly bulk?: Bulk<ItemOf<Id>>;
  /** Shown above the sentence of an empty list. */
  readonly icon?: IconName;
  /** Shown for an empty list: what it would contain, and how to start. */
  readonly empty: ReactNode;
}

/** Shows a list of the API, page by page. The URL contains the filters and the page. */
export function Table<Id extends ListId>(props: Props<Id>) {
  const {
    route,
    filters = [],
    params,
    fixed,
    empty,
    bulk,
    hasColumnChoice = false,
    usersIn,
  } = props;
  const columns = useShownColumns(props.columns);
  const selection = useSelection(props.keyOf);
  const tenant = useTenant();
  const { search } = useView();
  const names = filters.map(({ name }) => name);
  const query = { ...listQueryOf(search, names), ...fixed };
  const input: Input = { ...(params && { params }), query };
  const list = useList(tenant, route, input as InputOf<Id>, props.pendingIn);
  const named = useNamed(list.data?.items, usersIn);
  // Content below the rows appears together with them, so that no row pushes it down.
  const isWaiting = list.isPending || (list.data !== undefined && named.items === undefined);
  const why = whyEmpty(search, names, list.data?.meta);
  return (
    <>
      {filters.length > 0 && <Filters filters={filters} />}
      {list.error ? (
        <ProblemNote problem={list.error} route={route} onRetry={() => void list.refetch()} />
      ) : list.data?.items.length === 0 ? (
        <EmptyList why={why} icon={props.icon}>
          {empty}
        </EmptyList>
      ) : (
        <UserNames value={named.names}>
          <Grid
            {...props}
            columns={hasColumnChoice ? columns : props.columns}
            selection={selection}
            items={named.items}
            isStale={list.isPlaceholderData || named.isPending}
          />
        </UserNames>
      )}
      {list.data && !isWaiting && <Pager meta={list.data.meta} />}
      {bulk?.bar([...selection.chosen.values()], selection.forget)}
      {hasColumnChoice && !isWaiting && <ColumnChoice columns={props.columns} />}
      {!isWaiting && <ApiCall route={route} input={input} />}
    </>
  );
}

/** Returns why a list that is not empty shows nothing. */
function whyEmpty(search: Search, filters: readonly string[], meta: ListMeta | undefined) {
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
  const { label, columns, keyOf, items, isStale, bulk, selection } = props;
  const picks = bulk && { nameOf: bulk.nameOf, ...selection };
  const { say } = useTexts();
  return (
    <div className="table-frame" onKeyDown={moveFocus}>
      <table
        className="table"
        role="table"
        aria-label={label}
        aria-busy={isStale || items === undefined}
      >
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title }, place) => (
              <th key={title} role="columnheader" scope="col">
                {place === 0 && picks && items && (
                  <PickAll items={items} picks={picks} keyOf={keyOf} />
                )}
                {say(title)}
              </th>
            ))}
          </tr>
        </thead>
        {items === undefined ? (
          <RowsSkeleton columns={columns.length} hasPicks={bulk !== undefined} />
        ) : (
          <Rows items={items} columns={columns} keyOf={keyOf} picks={picks} />
        )}
      </table>
    </div>
  );
}
