import { apiKeyCreate } from '../../generated/facts.ts';
import { WithResourceScopes } from '../../parts/form/agent-scopes.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam } from '../../url/params.ts';
import { Creation } from '../shared/creation.tsx';

const FIELDS = ['name', 'expires_in_days', 'scopes', 'allowed_ips'];

/** Creates an agent's key, which is shown once. */
export function ApiKeyCreation() {
  const { say } = useTexts();
  const agentId = useParam('id');
  const agent = `/agents/${agentId}`;
  return (
    <WithResourceScopes facts={apiKeyCreate} isScreen>
      {(facts) => (
        <Creation
          route="apikeys.create"
          facts={facts}
          fields={FIELDS}
          fixed={{ agent_id: agentId }}
          title={say('apiKeyCreate')}
          from={{ to: agent, title: say('agent') }}
          nameOf={({ name }) => name}
          to={() => agent}
          secretOf={({ key }) => key}
        />
      )}
    </WithResourceScopes>
  );
}
