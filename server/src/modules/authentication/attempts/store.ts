import type { RateLimit } from '@keywright/contract/errors';
import { admitAttempt } from '../../../../sql/authentication/kw_admit_attempt.ts';
import { giveBack } from '../../../../sql/authentication/kw_give_back.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

/** Number of attempts, and the window in seconds. */
export type AttemptLimits = Pick<
  Tenant['config'],
  'login_attempts_limit' | 'login_attempts_window'
>;

/** The same for an answer. */
export function rateLimitOf(
  name: string,
  { login_attempts_limit: quota, login_attempts_window: windowSeconds }: AttemptLimits,
): RateLimit {
  return { name, quota, windowSeconds };
}

/** Counts an attempt. @returns seconds to wait, or undefined when it is admitted */
export async function countAttempt(
  data: TenantData,
  limits: AttemptLimits,
  subject: Buffer,
  now: Date,
): Promise<number | undefined> {
  const { login_attempts_limit: limit, login_attempts_window: windowSeconds } = limits;
  const [row] = await data.call(admitAttempt, { subject, limit, windowSeconds, now });
  return row?.answer ?? undefined;
}

/** A successful attempt is not counted. */
export async function giveBackAttempt(data: TenantData, subject: Buffer, now: Date): Promise<void> {
  await data.call(giveBack, { subject, now });
}
