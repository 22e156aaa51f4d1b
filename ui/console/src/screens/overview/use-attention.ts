import { useCall } from '../../api/queries.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTenant } from '../../url/params.ts';
import { type Line, linesOf, WEBHOOKS } from './attention.ts';
import { administratorRole } from './steps.ts';

export const KEYS = { query: { limit: 25 } };
export const HOOKS = { query: { limit: WEBHOOKS } };
export const FAILED_MESSAGES = { query: { limit: 1, status: 'failed' } } as const;

/** Returns what needs attention, as far as the caller can read it; undefined until all of it is loaded. */
export function useAttention(): readonly Line[] | undefined {
  const tenant = useTenant();
  const { can } = useCaller();
  const role = administratorRole(tenant);
  const never = { query: { limit: 1, role, has_logged_in: false, is_active: true } };
  const keys = useCall(tenant, 'keys.list', KEYS, can('read:keys'));
  const webhooks = useCall(tenant, 'webhooks.list', HOOKS, can('read:webhooks'));
  const administrators = useCall(tenant, 'users.list', never, can('read:users'));
  const messages = useCall(tenant, 'messaging.list_messages', FAILED_MESSAGES, can('read:tenant'));
  if ([keys, webhooks, administrators, messages].some(({ isLoading }) => isLoading)) {
    return undefined;
  }
  return linesOf({
    keys: keys.data?.items,
    webhooks: webhooks.data?.items,
    administrators: administrators.data?.meta.total,
    messages: messages.data?.meta.total,
    role,
    now: Date.now(),
  });
}
