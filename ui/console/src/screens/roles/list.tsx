import type { Role } from '@keywright/sdk';
import { aboutRole } from '../../parts/form/role-facts.ts';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { State } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Table } from '../../parts/table/table.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CreateLink } from '../shared/create-link.tsx';
import { RoleComparison } from './compare.tsx';
import { RoleMatrix } from './matrix.tsx';

const COLUMNS: readonly Column<Role>[] = [
  {
    title: 'name',
    cell: ({ name }) => (
      <Place to={`/roles/${name}`}>
        <bdi>{name}</bdi>
      </Place>
    ),
  },
  { title: 'description', cell: (role) => <About role={role} /> },
  { title: 'scopes', cell: ({ scopes }) => <Scopes scopes={scopes} most={6} /> },
  { title: 'kind', cell: ({ is_builtin: isBuiltin }) => <Kind isBuiltin={isBuiltin} /> },
];

const TABS = [
  { id: '', title: 'roles' },
  { id: 'matrix', title: 'matrix' },
  { id: 'compare', title: 'compare' },
] as const;

export function RoleList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('roles')}
      actions={<CreateLink scope="write:roles" to="/roles/new" title="roleCreate" />}
    >
      <Tabs label={say('roles')} path="/roles" tabs={TABS} />
      <Open />
    </Page>
  );
}

function Open() {
  const { say } = useTexts();
  const tab = useTab();
  if (tab === 'matrix') return <RoleMatrix />;
  if (tab === 'compare') return <RoleComparison />;
  return (
    <Table
      route="roles.list"
      icon="shield"
      label={say('roles')}
      columns={COLUMNS}
      keyOf={({ name }) => name}
      search={{ name: 'search', label: 'searchRoles' }}
      emptyTitle={say('rolesEmptyTitle')}
      start={<CreateLink scope="write:roles" to="/roles/new" title="roleCreate" kind="plain" />}
      guide="tenants"
      empty={<p>{say('rolesEmpty')}</p>}
    />
  );
}

function About({ role }: { readonly role: Role }) {
  const { say } = useTexts();
  const about = aboutRole(role, say);
  return about ? <bdi>{about}</bdi> : <span className="muted">–</span>;
}

function Kind({ isBuiltin }: { readonly isBuiltin: boolean }) {
  const { say } = useTexts();
  return <State word={say(isBuiltin ? 'builtIn' : 'own')} tone={isBuiltin ? 'plain' : 'brass'} />;
}
