import type { MessageChannel } from '@keywright/contract/messages';
import { channelOf, isDeliverable } from '../../../tenancy/channels.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { receivesSms } from '../../events/messages/index.ts';
import type { VerifiedIdentifier } from './message-factors-store.ts';

/** A code to a verified identifier that a tenant accepts as a second factor. */
export interface MessageFactor {
  readonly channel: MessageChannel;
  /** Undefined: too many codes were wrong in a row. Nothing weaker takes the place of the factor. */
  readonly destination: string | undefined;
}

/**
 * Codes that are a second factor of a user with these identifiers: at most one by each channel, SMS first.
 * @param maxFailures wrong codes in a row that suspend an identifier
 */
export async function factorsOf(
  tenant: Tenant,
  verified: readonly VerifiedIdentifier[],
  maxFailures: number,
): Promise<readonly MessageFactor[]> {
  const factors: MessageFactor[] = [];
  for (const channel of ['sms', 'email'] as const) {
    if (!tenant.config.mfa_methods.includes(channel)) continue;
    const ofChannel = verified.filter(({ identifier }) => channelOf(identifier) === channel);
    const reachable: VerifiedIdentifier[] = [];
    for (const one of ofChannel) if (await receives(tenant, one)) reachable.push(one);
    const usable = reachable.find(({ failures }) => failures < maxFailures);
    if (reachable.length > 0) factors.push({ channel, destination: usable?.identifier });
  }
  return factors;
}

/** Whether messages can be sent to one of these. */
export async function isReachable(
  tenant: Tenant,
  identifiers: readonly VerifiedIdentifier[],
): Promise<boolean> {
  for (const one of identifiers) if (await receives(tenant, one)) return true;
  return false;
}

async function receives(
  { sendsMail, config }: Tenant,
  { identifier }: VerifiedIdentifier,
): Promise<boolean> {
  if (channelOf(identifier) === 'email') return sendsMail && isDeliverable(identifier);
  return receivesSms(config, identifier);
}
