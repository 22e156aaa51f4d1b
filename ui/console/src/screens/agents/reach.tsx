import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { DependentList } from '../shared/dependents.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { DelegationList } from '../shared/delegation-list.tsx';

/** Shows what works only as long as the agent does, and whom it acts for. */
export function AgentReach({ agentId }: { readonly agentId: string }) {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'agents.dependents', { params: { agent_id: agentId } });
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
