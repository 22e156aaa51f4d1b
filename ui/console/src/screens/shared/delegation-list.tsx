import type { AgentDependents } from '@keywright/sdk';
import { Card } from '../../parts/card.tsx';
import { Loading } from '../../parts/loaded.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import type { Column } from '../../parts/table/column.ts';
import { ItemTable } from '../../parts/table/items.tsx';
import { Time } from '../../parts/time.tsx';
import { UserNames } from '../../parts/user-name.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useDelegationNames } from './dependents.tsx';
import { Subject } from './subject.tsx';

type Delegations = AgentDependents['delegations'];

type Delegation = Delegations['items'][number];

const USER: Column<Delegation> = {
  title: 'user',
  cell: ({ user_id: id }) => <Subject id={id} />,
};
const REST: readonly Column<Delegation>[] = [
  { title: 'agent', cell: ({ agent_id: id }) => <Subject id={id} /> },
  { title: 'scopes', cell: ({ scopes }) => <Scopes scopes={scopes} most={3} /> },
  { title: 'expires', cell: ({ expires_at: at }) => <Time at={at} /> },
];

interface Props {
  readonly delegations: Delegations;
  /** Whether all are of one user, who is then not named again. */
  readonly isOfUser?: boolean;
}

/** Shows who acts for whom: the newest delegations, and their number. */
export function DelegationList({ delegations, isOfUser = false }: Props) {
  const { say } = useTexts();
  const { items, total } = delegations;
  const { names, isPending } = useDelegationNames(items);
  if (total === 0) return <div className="note">{say('delegationsEmpty')}</div>;
  if (isPending) return <Loading rows={4} />;
  return (
    <UserNames value={names}>
      <Card title={say('delegations')}>
        <ItemTable
          label={say('delegations')}
          columns={isOfUser ? REST : [USER, ...REST]}
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
