import type { EventType } from './events.ts';
import type { Scope } from './scopes.ts';

/** What the events of a group tell of, by the scopes that read it. */
const BY_GROUP: Readonly<Record<string, readonly Scope[]>> = {
  user: ['read:users'],
  session: ['read:sessions'],
  role: ['read:roles'],
  workspace: ['read:workspaces'],
  tenant: ['read:tenant'],
  key: ['read:keys'],
  agent: ['read:agents'],
  apikey: ['read:apikeys'],
  delegation: ['read:users', 'read:agents'],
  webhook: ['read:webhooks'],
};

/** Kinds that tell of something else than their group, or of more. */
const BY_TYPE: Partial<Record<EventType, readonly Scope[]>> = {
  'user.login': ['read:users', 'read:sessions'],
  'user.logout': ['read:users', 'read:sessions'],
  'role.assigned': ['read:users'],
  'role.unassigned': ['read:users'],
};

/** The scopes that it takes to be sent events of this kind. */
export function scopesToReceive(type: EventType): readonly Scope[] {
  const [group = ''] = type.split('.', 1);
  return BY_TYPE[type] ?? BY_GROUP[group] ?? ['read:*'];
}
