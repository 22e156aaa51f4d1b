import { agentCreate } from '../../generated/facts.ts';
import { WithResourceScopes } from '../../parts/form/agent-scopes.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';
import { useAgentFacts } from './facts.ts';

export function AgentCreation() {
  const { say } = useTexts();
  return (
    <WithResourceScopes facts={useAgentFacts(agentCreate)} isScreen>
      {(facts) => (
        <Creation
          route="agents.create"
          facts={facts}
          title={say('agentCreate')}
          about={say('agentsEmpty')}
          from={{ to: '/agents', title: say('agents') }}
          nameOf={({ name }) => name}
          to={({ id }) => `/agents/${id}`}
        />
      )}
    </WithResourceScopes>
  );
}
