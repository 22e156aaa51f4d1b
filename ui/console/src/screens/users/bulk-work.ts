import type { User } from '@keywright/sdk';
import { call } from '../../api/call.ts';
import type { Verb } from './bulk-verbs.ts';

/** The choices made once for all users. */
export interface Choice {
  readonly reason: string;
  readonly role: string;
}

/** Applies the chosen action to one user. @throws Problem */
export async function workOn(
  tenant: string,
  verb: Verb,
  { id }: User,
  { reason, role }: Choice,
): Promise<void> {
  const params = { user_id: id };
  switch (verb) {
    case 'endSessions':
      await call(tenant, 'sessions.delete_all', { query: { user_id: id } });
      return;
    case 'disable':
      await call(tenant, 'users.disable', { params, body: { reason } });
      return;
    case 'delete':
      await call(tenant, 'users.delete', { params });
      return;
    case 'giveRole': {
      // Reads the current roles, since the list can be outdated.
      const { roles } = await call(tenant, 'users.get', { params });
      if (roles.includes(role)) return;
      await call(tenant, 'users.update', { params, body: { roles: [...roles, role] } });
    }
  }
}

export const KINDS = ['sessions', 'agents', 'api_keys', 'delegations'] as const;
export type Sum = Readonly<Record<(typeof KINDS)[number], number>>;
export const NOTHING: Sum = { sessions: 0, agents: 0, api_keys: 0, delegations: 0 };

/** Adds what ends with one more user. @throws Problem */
export async function withDependents(tenant: string, { id }: User, sum: Sum): Promise<Sum> {
  const dependents = await call(tenant, 'users.dependents', { params: { user_id: id } });
  return {
    sessions: sum.sessions + dependents.sessions.total,
    agents: sum.agents + dependents.agents.total,
    api_keys: sum.api_keys + dependents.api_keys.total,
    delegations: sum.delegations + dependents.delegations.total,
  };
}
