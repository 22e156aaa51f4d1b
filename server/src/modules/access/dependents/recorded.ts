import type { NewEvent } from '../../events/journal/index.ts';
import type { Revoked } from './store.ts';

/** The events of keys and delegations that have ended. */
export function revocationEvents({ keys, delegations }: Revoked, reason: string): NewEvent[] {
  return [
    ...keys.map(({ id, agent_id }) => {
      return { type: 'apikey.revoked', data: { key_id: id, agent_id, reason } } as const;
    }),
    ...delegations.map(({ id, user_id, agent_id }) => {
      const data = { delegation_id: id, user_id, agent_id };
      return { type: 'delegation.revoked', data } as const;
    }),
  ];
}
