import type { Agent } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActiveState } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { moreAgentActions } from './actions.tsx';
import { ApiKeyTable } from './keys.tsx';
import { AgentProperties } from './properties.tsx';
import { AgentReach } from './reach.tsx';
import { AgentTrust } from './trust.tsx';

const TABS = [
  { id: '', title: 'apiKeys' },
  { id: 'trust', title: 'trust' },
  { id: 'reach', title: 'reach' },
  { id: 'properties', title: 'settings' },
  { id: 'activity', title: 'history' },
] as const;

export function AgentDetail() {
  const { say } = useTexts();
  const { can } = useCaller();
  const id = useParam('id');
  const query = useCall(useTenant(), 'agents.get', { params: { agent_id: id } });
  return (
    <Loaded query={query} route="agents.get" isScreen>
      {(agent) => (
        <Page
          title={agent.name}
          avatar={<Avatar id={agent.id} name={agent.name} isSquare />}
          state={<ActiveState isActive={agent.is_active} />}
          about={agent.description}
          more={moreAgentActions({ agent, can })}
          from={{ to: '/agents', title: say('agents') }}
        >
          <Tabs label={agent.name} path={`/agents/${id}`} tabs={TABS} />
          <Open agent={agent} />
        </Page>
      )}
    </Loaded>
  );
}

function Open({ agent }: { readonly agent: Agent }) {
  switch (useTab()) {
    case 'trust':
      return <AgentTrust agent={agent} />;
    case 'reach':
      return <AgentReach agentId={agent.id} />;
    case 'properties':
      return <AgentProperties agent={agent} />;
    case 'activity':
      return <AuditTable fixed={{ target: agent.id }} />;
    default:
      return <ApiKeyTable agentId={agent.id} />;
  }
}
