import type { Role } from '@keywright/sdk';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { State } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CreateLink } from '../shared/create-link.tsx';

const COLUMNS: readonly Column<Role>[] = [
  {
    title: 'name',
    cell: ({ name }) => (
      <Place to={`/roles/${name}`}>
        <bdi>{name}</bdi>
      </Place>
    ),
  },
  { title: 'description', cell: ({ description }) => <bdi>{description}</bdi> },
  { title: 'scopes', cell: ({ scopes }) => <Scopes scopes={scopes} most={6} /> },
  { title: 'kind', cell: ({ is_builtin: isBuiltin }) => <Kind isBuiltin={isBuiltin} /> },
];

export function RoleList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('roles')}
      actions={<CreateLink scope="write:roles" to="/roles/new" title="roleCreate" />}
    >
      <Table
        route="roles.list"
        label={say('roles')}
        columns={COLUMNS}
        keyOf={({ name }) => name}
        empty={<p>{say('rolesEmpty')}</p>}
      />
    </Page>
  );
}

function Kind({ isBuiltin }: { readonly isBuiltin: boolean }) {
  const { say } = useTexts();
  return <State word={say(isBuiltin ? 'builtIn' : 'own')} tone={isBuiltin ? 'plain' : 'brass'} />;
}
