import type { AgentDependents } from '@keywright/sdk';
import { useAgentNames, useUserNames } from '../../api/users.ts';
import { Card } from '../../parts/card.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import type { Column } from '../../parts/table/column.ts';
import { ItemTable } from '../../parts/table/items.tsx';
import { Time } from '../../parts/time.tsx';
import { UserNames } from '../../parts/user-name.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Subject } from './subject.tsx';

type Delegations = AgentDependents['delegations'];

const COLUMNS: readonly Column<Delegations['items'][number]>[] = [
  { title: 'user', cell: ({ user_id: id }) => <Subject id={id} /> },
  { title: 'agent', cell: ({ agent_id: id }) => <Subject id={id} /> },
  { title: 'scopes', cell: ({ scopes }) => <Scopes scopes={scopes} most={3} /> },
  { title: 'expires', cell: ({ expires_at: at }) => <Time at={at} /> },
];

/** Shows who acts for whom: the newest delegations, and their number. */
export function DelegationList({ delegations }: { readonly delegations: Delegations }) {
  const { say } = useTexts();
  const { items, total } = delegations;
  const names = useNames(items);
  if (total === 0) return <div className="note">{say('delegationsEmpty')}</div>;
  return (
    <UserNames value={names}>
      <Card title={say('delegations')}>
        <ItemTable
          label={say('delegations')}
          columns={COLUMNS}
          items={items}
          keyOf={({ id }) => id}
        />
        {total > items.length && (
          <p className="muted">{say('andMore', { count: total - items.length })}</p>
        )}
      </Card>
    </UserNames>
  );
}

/** The names of the users and agents, by ID. */
function useNames(items: Delegations['items']): ReadonlyMap<string, string> {
  const mayRead = useCaller().can('read:users');
  const { names } = useUserNames(
    items.map(({ user_id: id }) => id),
    mayRead,
  );
  const nameOfAgent = useAgentNames();
  const agents = items.flatMap(({ agent_id: id }) => {
    const name = nameOfAgent(id);
    return name === undefined ? [] : [[id, name] as const];
  });
  return new Map([...names, ...agents]);
}
