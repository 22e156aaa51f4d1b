import type { Agent } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { DependentList } from '../../parts/dependents.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

interface Props {
  readonly agent: Agent;
}

export function AgentActions({ agent }: Props) {
  const { can } = useCaller();
  return (
    <>
      {can('write:agents') && <Switch agent={agent} />}
      {can('delete:agents') && <Delete agent={agent} />}
    </>
  );
}

function Switch({ agent: { id, name, is_active: isActive } }: Props) {
  const { say } = useTexts();
  const input = { params: { agent_id: id }, body: { is_active: !isActive } };
  if (!isActive) {
    return (
      <Action
        route="agents.update"
        input={input}
        verb={say('enable')}
        title={say('enableTitle', { name })}
        done={say('enabled', { name })}
        isBad={false}
      >
        <p>{say('enableAgentHint')}</p>
      </Action>
    );
  }
  return (
    <Action
      route="agents.update"
      input={input}
      verb={say('disable')}
      title={say('disableTitle', { name })}
      done={say('disabled', { name })}
    >
      <p>{say('disableAgentHint')}</p>
      <Dependents agentId={id} />
    </Action>
  );
}

function Delete({ agent: { id, name } }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  return (
    <Action
      route="agents.delete"
      input={{ params: { agent_id: id } }}
      verb={say('delete')}
      title={say('deleteTitle', { name })}
      typed={name}
      done={say('deleted', { name })}
      then={() => void navigate({ to: `/t/${tenant}/agents` })}
    >
      <p>{say('deleteAgentHint')}</p>
      <Dependents agentId={id} />
    </Action>
  );
}

function Dependents({ agentId }: { readonly agentId: string }) {
  const query = useCall(useTenant(), 'agents.dependents', { params: { agent_id: agentId } });
  return (
    <Loaded query={query} route="agents.dependents" rows={2}>
      {(dependents) => <DependentList dependents={dependents} />}
    </Loaded>
  );
}
