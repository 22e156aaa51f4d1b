import { agentCreate } from '../../generated/facts.ts';
import { useAgentScopeFacts } from '../../parts/form/agent-scope-facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';

export function AgentCreation() {
  const { say } = useTexts();
  return (
    <Creation
      route="agents.create"
      facts={useAgentScopeFacts(agentCreate)}
      title={say('agentCreate')}
      about={say('agentsEmpty')}
      from={{ to: '/agents', title: say('agents') }}
      nameOf={({ name }) => name}
      to={({ id }) => `/agents/${id}`}
    />
  );
}
