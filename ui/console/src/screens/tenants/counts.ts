import type { TenantDependents } from '@keywright/sdk';
import type { TextKey } from '../../texts/locales.ts';

/** The service counts up to this number. */
const MOST = 10_000;

const KINDS: readonly (readonly [Exclude<keyof TenantDependents, 'tenant_id'>, TextKey])[] = [
  ['users', 'users'],
  ['sessions', 'liveSessions'],
  ['workspaces', 'workspaces'],
  ['agents', 'agents'],
  ['api_keys', 'apiKeys'],
  ['clients', 'clients'],
  ['webhooks', 'webhooks'],
  ['audit_entries', 'auditEntries'],
];

interface Count {
  readonly title: TextKey;
  readonly count: number;
  /** There are more than `count`. */
  readonly isMore: boolean;
}

export function countsOf(dependents: TenantDependents): readonly Count[] {
  return KINDS.map(([kind, title]) => {
    const count = dependents[kind];
    return { title, count: Math.min(count, MOST), isMore: count > MOST };
  });
}
