import { CreateLink } from './create-link.tsx';
import type { Agent } from '@keywright/sdk';
import { Person } from '../../parts/person.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { ActiveState } from '../../parts/state.tsx';
import type { Column, Filter, View } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { UserName } from '../../parts/user-name.tsx';
import { useTexts } from '../../texts/texts.tsx';

const COLUMNS: readonly Column<Agent>[] = [
  {
    title: 'name',
    isPerson: true,
    cell: ({ id, name, description }) => (
      <Place to={`/agents/${id}`} className="who">
        <Person id={id} name={name} about={description} isSquare />
      </Place>
    ),
  },
  { title: 'state', cell: ({ is_active: isActive }) => <ActiveState isActive={isActive} /> },
  { title: 'scopes', cell: ({ scopes }) => <Scopes scopes={scopes} most={3} /> },
  { title: 'workspace', cell: ({ workspace_id: id }) => <UserName id={id} /> },
  { title: 'created', sort: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
];

const FILTERS: readonly Filter[] = [
  {
    name: 'is_active',
    label: 'state',
    choices: ['true', 'false'],
    words: { true: 'active', false: 'inactive' },
  },
];
const OF_ALL: readonly Filter[] = [
  { name: 'workspace_id', label: 'workspace', of: 'workspaces' },
  { name: 'owner_id', label: 'owner', of: 'users' },
];

const SEARCH = { name: 'search', label: 'searchNames' } as const;

const VIEWS: readonly View[] = [
  { title: 'viewAll', filters: {} },
  { title: 'active', filters: { is_active: 'true' } },
  { title: 'inactive', filters: { is_active: 'false' } },
];

/** Shows all agents, or those of one owner. */
export function AgentTable({ fixed }: { readonly fixed?: { readonly owner_id: string } }) {
  const { say } = useTexts();
  return (
    <Table
      route="agents.list"
      icon="bot"
      label={say('agents')}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      filters={fixed ? FILTERS : [...FILTERS, ...OF_ALL]}
      {...(!fixed && { views: VIEWS, search: SEARCH })}
      actions={{ nameOf: ({ name }) => name }}
      usersIn={({ workspace_id: id }) => [id]}
      {...(fixed && { fixed })}
      emptyTitle={say('agentsEmptyTitle')}
      start={<CreateLink scope="write:agents" to="/agents/new" title="agentCreate" kind="plain" />}
      guide="agents-and-api-keys"
      empty={<p>{say('agentsEmpty')}</p>}
    />
  );
}
