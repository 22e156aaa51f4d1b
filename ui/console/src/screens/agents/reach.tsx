import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { DependentList, newestOf, useDelegationNames } from '../shared/dependents.tsx';
import { Loaded, Loading } from '../../parts/loaded.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { DelegationList } from '../shared/delegation-list.tsx';

const NONE = { items: [], total: 0 };

/** Shows what works only as long as the agent does, and whom it acts for. */
export function AgentReach({ agentId }: { readonly agentId: string }) {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'agents.dependents', { params: { agent_id: agentId } });
  const delegations = query.data?.delegations ?? NONE;
  const newest = useDelegationNames(newestOf(delegations));
  const all = useDelegationNames(delegations.items);
  // A name can be longer than what stands for it, and would push down what follows.
  if (newest.isPending || all.isPending) return <Loading rows={6} />;
  return (
    <Loaded query={query} route="agents.dependents">
      {(dependents) => (
        <div className="stack">
          <Card title={say('reach')}>
            <DependentList dependents={dependents} />
          </Card>
          <DelegationList delegations={dependents.delegations} />
        </div>
      )}
    </Loaded>
  );
}
