import { useCall } from '../api/queries.ts';
import { FAILED_MESSAGES, HOOKS, KEYS } from '../screens/overview/use-attention.ts';
import { linesOf } from '../screens/overview/attention.ts';
import { useTenant } from '../url/params.ts';
import { useCaller } from './caller.tsx';

/** Returns how many records need attention, by the path of their list. The overview reads the same. */
export function useUrgent(): ReadonlyMap<string, number> {
  const tenant = useTenant();
  const { can } = useCaller();
  const keys = useCall(tenant, 'keys.list', KEYS, can('read:keys')).data;
  const webhooks = useCall(tenant, 'webhooks.list', HOOKS, can('read:webhooks')).data;
  const messages = useCall(
    tenant,
    'messaging.list_messages',
    FAILED_MESSAGES,
    can('read:tenant'),
  ).data;
  const counts = new Map<string, number>();
  const lines = linesOf({
    keys: keys?.items,
    webhooks: webhooks?.items,
    messages: messages?.meta.total,
    administrators: undefined,
    role: '',
    now: Date.now(),
  });
  // A key that only waits for its last tokens needs nothing.
  for (const { count, to } of lines.filter(({ kind }) => kind !== 'keyEnds')) {
    const list = `/${to.split('/', 2)[1] ?? ''}`;
    counts.set(list, (counts.get(list) ?? 0) + count);
  }
  return counts;
}
