import type { Agent } from '@keywright/sdk';
import { agentUpdate } from '../../generated/facts.ts';
import { WithResourceScopes } from '../../parts/form/agent-scopes.tsx';
import { Id } from '../../parts/id.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { EditCard } from '../shared/edit-card.tsx';
import { AgentDangers } from './actions.tsx';
import { useAgentFacts } from './facts.ts';

/** Public keys and issuers are edited with the proofs of the agent. */
const FIELDS = ['name', 'description', 'owner_id', 'workspace_id', 'scopes'];

/** The facts of an agent, which are edited in place. */
export function AgentProperties({ agent }: { readonly agent: Agent }) {
  const { say } = useTexts();
  return (
    <WithResourceScopes facts={useAgentFacts(agentUpdate)}>
      {(facts) => (
        <div className="stack">
          <EditCard
            title={say('details')}
            route="agents.update"
            scope="write:agents"
            facts={facts}
            fields={FIELDS}
            params={{ agent_id: agent.id }}
            present={agent}
            rows={[
              [say('id'), <Id key="id" id={agent.id} canCopy />],
              [say('created'), <Time key="created" at={agent.created_at} isWhole />],
            ]}
          />
          <AgentDangers agent={agent} />
        </div>
      )}
    </WithResourceScopes>
  );
}
