import type { RateLimit } from '@keywright/contract/errors';
import { admitAttempt } from '../../../../sql/authentication/kw_admit_attempt.ts';
import { giveBack } from '../../../../sql/authentication/kw_give_back.ts';
import { admitMessage as admitAll } from '../../../../sql/events/kw_admit_message.ts';
import { clientNetworks } from '../../../platform/http/client-network.ts';
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

/** A counter of a request by its network, and the limit of the narrowest one. */
export interface NetworkLimit {
  /** @param network as `clientNetworks` names it */
  readonly subjectOf: (network: string) => Buffer;
  readonly limits: AttemptLimits;
}

/**
 * Counts a request in each network of its address, the narrowest first, in one statement: what a network refuses is not
 * counted in the wider ones.
 * @returns seconds to wait, or undefined when it is admitted
 */
export async function countInNetworks(
  data: TenantData,
  address: string,
  { subjectOf, limits }: NetworkLimit,
  now: Date,
): Promise<number | undefined> {
  const networks = clientNetworks(address);
  const [row] = await data.call(admitAll, {
    subjects: networks.map(({ name }) => subjectOf(name)),
    limits: networks.map(({ times }) => times * limits.login_attempts_limit),
    windowsSeconds: networks.map(() => limits.login_attempts_window),
    own: networks.length,
    now,
  });
  return row?.answer ?? undefined;
}

/** A successful attempt is not counted. */
export async function giveBackAttempt(data: TenantData, subject: Buffer, now: Date): Promise<void> {
  await data.call(giveBack, { subject, now });
}

/** How many attempts are counted at the moment. */
export async function findAttempts(data: TenantData, subject: Buffer, now: Date): Promise<number> {
  const row = await data.transaction((tx) =>
    tx.db
      .selectFrom('login_attempts')
      .select('attempts')
      .where('tenant_id', '=', tx.tenantId)
      .where('subject', '=', subject)
      .where('window_ends_at', '>', now)
      .executeTakeFirst(),
  );
  return row?.attempts ?? 0;
}
