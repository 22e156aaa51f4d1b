import { useCall } from '../../../api/queries.ts';
import { useCaller } from '../../../shell/caller.tsx';
import { useTenant } from '../../../url/params.ts';
import { type Attempt, attemptsOf } from './attempts.ts';

const READ = 25;

interface Attempts {
  readonly attempts: readonly Attempt[];
  readonly isPending: boolean;
}

/** Returns the latest sign-in attempts of a user; none if the caller cannot read the audit log. */
export function useAttempts(userId: string): Attempts {
  const tenant = useTenant();
  const mayRead = useCaller().can('read:audit');
  const succeeded = { query: { actor: userId, action: 'auth.login', limit: READ } } as const;
  const refused = { query: { target: userId, action: 'auth.login_failed', limit: READ } } as const;
  const logins = useCall(tenant, 'audit.list', succeeded, mayRead);
  const failures = useCall(tenant, 'audit.list', refused, mayRead);
  const entries = [...(logins.data?.items ?? []), ...(failures.data?.items ?? [])];
  return { attempts: attemptsOf(entries), isPending: logins.isLoading || failures.isLoading };
}
