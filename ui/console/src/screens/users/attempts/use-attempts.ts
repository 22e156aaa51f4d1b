import type { User } from '@keywright/sdk';
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
  const mayRead = useCaller().can('read:audit');
  const query = { actor: userId, action: 'auth.login', limit: READ } as const;
  const logins = useCall(useTenant(), 'audit.list', { query }, mayRead);
  const failures = useFailures(userId);
  const entries = [...(logins.data?.items ?? []), ...(failures.data?.items ?? [])];
  return { attempts: attemptsOf(entries), isPending: logins.isLoading || failures.isLoading };
}

function useFailures(userId: string) {
  const mayRead = useCaller().can('read:audit');
  const query = { target: userId, action: 'auth.login_failed', limit: READ } as const;
  return useCall(useTenant(), 'audit.list', { query }, mayRead);
}

/** Returns the latest rejected sign-in, unless the user has signed in since. */
export function useLatestRefusal({ id, last_login_at: lastLogin }: User): Attempt | undefined {
  const [latest] = attemptsOf(useFailures(id).data?.items ?? []);
  if (!latest || lastLogin === null) return latest;
  // The time of the last login is to the minute, in which a person also corrects a mistyped password.
  return minuteOf(lastLogin) >= minuteOf(latest.at) ? undefined : latest;
}

function minuteOf(moment: string): number {
  return Math.floor(Date.parse(moment) / 60_000);
}
