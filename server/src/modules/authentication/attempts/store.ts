import type { RateLimit } from '@keywright/contract/errors';
import { statement } from '../../../platform/db/database.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

const admitAttempt = statement(
  'kw_admit_attempt',
  'SELECT kw_admit_attempt($1, $2, $3, $4, $5) AS retry_after',
);
const giveBack = statement('kw_give_back', 'SELECT kw_give_back($1, $2, $3)');

/** How many attempts in how many seconds. */
export type AttemptLimits = Pick<
  Tenant['config'],
  'login_attempts_limit' | 'login_attempts_window'
>;

/** The same as an answer tells it. */
export function rateLimitOf(
  name: string,
  { login_attempts_limit: quota, login_attempts_window: windowSeconds }: AttemptLimits,
): RateLimit {
  return { name, quota, windowSeconds };
}

/** Counts an attempt. @returns seconds to wait, or nothing when it is admitted. */
export async function countAttempt(
  data: TenantData,
  limits: AttemptLimits,
  subject: Buffer,
  now: Date,
): Promise<number | undefined> {
  const values = [subject, limits.login_attempts_limit, limits.login_attempts_window, now];
  const [row] = await data.call<{ retry_after: number | null }>(admitAttempt, values);
  return row?.retry_after ?? undefined;
}

/** An attempt that succeeded does not count. */
export async function giveBackAttempt(data: TenantData, subject: Buffer, now: Date): Promise<void> {
  await data.call(giveBack, [subject, now]);
}
