import type { EventType } from './events.ts';
import type { Scope } from './scopes.ts';

/** The scopes that allow reading the records of each group of events. */
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
  consent: ['read:consents'],
  factor: ['read:users'],
  webhook: ['read:webhooks'],
  message: ['read:tenant'],
  messaging: ['read:tenant'],
  sms: ['read:tenant'],
};

/** Event types that contain records other than those of their group, or additional records. */
const BY_TYPE: Partial<Record<EventType, readonly Scope[]>> = {
  'user.login': ['read:users', 'read:sessions'],
  'user.logout': ['read:users', 'read:sessions'],
  'role.assigned': ['read:users'],
  'role.unassigned': ['read:users'],
};

/** The scopes required to receive events of this type. */
export function scopesToReceive(type: EventType): readonly Scope[] {
  const [group = ''] = type.split('.', 1);
  return BY_TYPE[type] ?? BY_GROUP[group] ?? ['read:*'];
}
