import type { TenantId } from '@keywright/contract/ids';
import type { MessageChannel } from '@keywright/contract/messages';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { Tenant } from './tenant.ts';

/** Returns the channel of messages to an identifier. The local part of an address can also start with a plus. */
export function channelOf(identifier: string): MessageChannel {
  return /^\+[0-9]+$/.test(identifier) ? 'sms' : 'email';
}

/**
 * Whether messages to the identifier could reach a user. `.localhost` has no owner and no mail exchanger (RFC 6761
 * §6.3).
 */
export function isDeliverable(identifier: string): boolean {
  return !/[@.]localhost$/.test(identifier);
}

/** Whether text messages can be sent: countries are set only then. */
export function sendsSms(config: Pick<TenantConfig, 'sms_countries'>): boolean {
  return config.sms_countries.length > 0;
}

/** Returns the channels that a tenant can send messages by. */
export function channelsOf({ sendsMail, config }: Pick<Tenant, 'sendsMail' | 'config'>) {
  return [
    ...(sendsMail ? (['email'] as const) : []),
    ...(sendsSms(config) ? (['sms'] as const) : []),
  ];
}

/** Returns the location that a secret of the messaging settings is sealed for. */
export function messagingPlace(tenantId: TenantId, group: string, field: string): string {
  return `tenants/${tenantId}/messaging/${group}/${field}`;
}
