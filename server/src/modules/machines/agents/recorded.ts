import type { TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record, revocationEvents } from '../../events/journal/index.ts';
import { scopeChange } from '../../identity/roles/index.ts';
import type { AgentChange, AgentRow } from './store.ts';

export function recordCreation(tx: TenantTx, by: Actor, agent: AgentRow): Promise<void> {
  const { id: agentId, name, workspace_id, owner_id, scopes } = agent;
  return record(tx, by, {
    action: 'agent.created',
    target: { kind: 'agent', id: agentId },
    details: { name, workspace_id, owner_id, scopes_added: scopes },
    events: [{ type: 'agent.created', data: { agent_id: agentId } }],
  });
}

export function recordUpdate(
  tx: TenantTx,
  by: Actor,
  before: AgentRow,
  { scopes, is_active, workspace_id, owner_id, ...rest }: AgentChange,
): Promise<void> {
  const agentId = before.id;
  const told = Object.entries({ is_active, workspace_id, owner_id }).filter(
    ([, value]) => value !== undefined,
  );
  const fields = [
    ...told.map(([name]) => name),
    ...(scopes === undefined ? [] : ['scopes']),
    ...Object.keys(rest),
  ];
  return record(tx, by, {
    action: 'agent.updated',
    target: { kind: 'agent', id: agentId },
    details: {
      fields,
      ...Object.fromEntries(told),
      ...(scopes === undefined ? {} : scopeChange(before.scopes, scopes)),
    },
    events: [{ type: 'agent.updated', data: { agent_id: agentId, fields } }],
  });
}

/** With the keys and delegations that ended with it. */
export function recordDeletion(
  tx: TenantTx,
  by: Actor,
  agent: AgentRow,
  ended: Parameters<typeof revocationEvents>[0],
): Promise<void> {
  const agentId = agent.id;
  return record(tx, by, {
    action: 'agent.deleted',
    target: { kind: 'agent', id: agentId },
    details: {
      name: agent.name,
      scopes_removed: agent.scopes,
      api_keys: ended.keys.map((key) => key.id),
      delegations: ended.delegations.map((delegation) => delegation.id),
    },
    events: [
      { type: 'agent.deleted', data: { agent_id: agentId } },
      ...revocationEvents(ended, 'agent_deleted'),
    ],
  });
}
