import type { Agent } from '@keywright/sdk';
import { Avatar } from '../../parts/avatar.tsx';
import { Id } from '../../parts/id.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { ActiveState } from '../../parts/state.tsx';
import type { Column, Filter } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';

const COLUMNS: readonly Column<Agent>[] = [
  {
    title: 'name',
    cell: ({ id, name }) => (
      <Place to={`/agents/${id}`} className="who">
        <Avatar id={id} name={name} isSquare />
        <bdi>{name}</bdi>
      </Place>
    ),
  },
  { title: 'state', cell: ({ is_active: isActive }) => <ActiveState isActive={isActive} /> },
  { title: 'scopes', cell: ({ scopes }) => <Scopes scopes={scopes} most={3} /> },
  { title: 'workspace', cell: ({ workspace_id: id }) => <Id id={id} /> },
  { title: 'created', cell: ({ created_at: at }) => <Time at={at} /> },
];

const FILTERS: readonly Filter[] = [
  { name: 'is_active', label: 'active', choices: ['true', 'false'] },
];
const OF_ALL: readonly Filter[] = [
  { name: 'workspace_id', label: 'workspace', isExact: true },
  { name: 'owner_id', label: 'owner', isExact: true },
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
      {...(fixed && { fixed })}
      empty={<p>{say('agentsEmpty')}</p>}
    />
  );
}
