import type { Agent } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { DangerZone } from '../shared/danger-zone.tsx';
import { DependentList } from '../shared/dependents.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { MenuLink } from '../../parts/menu.tsx';
import { type Caller, useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

interface Props {
  readonly agent: Agent;
}

/** Returns the actions of the menu; null: the caller can perform none. */
export function moreAgentActions({ agent, can }: Props & Pick<Caller, 'can'>): ReactNode {
  if (!['write:agents', 'delete:agents', 'read:audit'].some(can)) return null;
  return (
    <>
      {can('read:audit') && <Explain agent={agent} />}
      {can('write:agents') && <Switch agent={agent} />}
      {can('delete:agents') && <Delete agent={agent} />}
    </>
  );
}

function Explain({ agent: { id } }: Props) {
  const { say } = useTexts();
  return (
    <MenuLink icon="route" to="/access-check" search={{ subject: id }}>
      {say('explain')}
    </MenuLink>
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
        icon="circle-check"
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
      icon="ban"
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
      icon="trash-2"
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

/** The actions that stop or end the agent. */
export function AgentDangers({ agent }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const disabling = {
    title: say('disable'),
    about: say('disableAgentAbout'),
    action: <Switch agent={agent} />,
  };
  const deletion = {
    title: say('delete'),
    about: say('deleteAgentHint'),
    action: <Delete agent={agent} />,
  };
  return (
    <DangerZone
      dangers={[
        ...(agent.is_active && can('write:agents') ? [disabling] : []),
        ...(can('delete:agents') ? [deletion] : []),
      ]}
    />
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
