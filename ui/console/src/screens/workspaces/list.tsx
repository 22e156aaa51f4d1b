import type { Workspace } from '@keywright/sdk';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { ActiveState } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CreateLink } from '../shared/create-link.tsx';

const COLUMNS: readonly Column<Workspace>[] = [
  {
    title: 'name',
    cell: ({ id, name }) => (
      <Place to={`/workspaces/${id}`}>
        <bdi>{name}</bdi>
      </Place>
    ),
  },
  { title: 'state', cell: ({ is_active: isActive }) => <ActiveState isActive={isActive} /> },
  { title: 'created', sort: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
];

export function WorkspaceList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('workspaces')}
      actions={<CreateLink scope="write:workspaces" to="/workspaces/new" title="workspaceCreate" />}
    >
      <Table
        route="workspaces.list"
        icon="boxes"
        label={say('workspaces')}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        actions={{ nameOf: ({ name }) => name }}
        emptyTitle={say('workspacesEmptyTitle')}
        start={
          <CreateLink
            scope="write:workspaces"
            to="/workspaces/new"
            title="workspaceCreate"
            kind="plain"
          />
        }
        guide="tenants"
        empty={<p>{say('workspacesEmpty')}</p>}
      />
    </Page>
  );
}
