import type { TenantId } from '@keywright/contract/ids';
import type { MessageChannel } from '@keywright/contract/messages';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { Tenant } from './tenant.ts';

/** The channel of messages to an identifier. The local part of an address may also begin with a plus. */
export function channelOf(identifier: string): MessageChannel {
  return /^\+[0-9]+$/.test(identifier) ? 'sms' : 'email';
}

/** Whether messages to it could reach anyone. `.localhost` has no owner and no mail exchanger (RFC 6761 §6.3). */
export function isDeliverable(identifier: string): boolean {
  return !/[@.]localhost$/.test(identifier);
}

/** Countries are only set while text messages can be sent. */
export function sendsSms(config: Pick<TenantConfig, 'sms_countries'>): boolean {
  return config.sms_countries.length > 0;
}

/** How messages of a tenant can be sent. */
export function channelsOf({ sendsMail, config }: Pick<Tenant, 'sendsMail' | 'config'>) {
  return [
    ...(sendsMail ? (['email'] as const) : []),
    ...(sendsSms(config) ? (['sms'] as const) : []),
  ];
}

/** The place that a secret of the messaging settings is sealed for. */
export function messagingPlace(tenantId: TenantId, group: string, field: string): string {
  return `tenants/${tenantId}/messaging/${group}/${field}`;
}
