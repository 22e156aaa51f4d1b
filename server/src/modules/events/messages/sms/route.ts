import type { TenantId } from '@keywright/contract/ids';
import type { TenantMessaging } from '@keywright/contract/records/tenant';
import { sha256, unseal } from '../../../../platform/crypto/sealed.ts';
import { messagingPlace } from '../../../../tenancy/channels.ts';

/** The provider that text messages of a tenant go through, and how it knows the tenant. */
export interface SmsRoute {
  /** Names the provider and the version of its settings. */
  readonly key: string;
  readonly tenantId: TenantId;
  readonly provider: NonNullable<NonNullable<TenantMessaging['sms']>['provider']>;
  /** Undefined: the usual address of the provider. */
  readonly url: string | undefined;
  readonly account: string;
  readonly from: string;
  /** The token of the account, or what requests are signed with. */
  readonly secret: string;
}

/** @returns undefined while something is missing that the provider needs */
export function smsRouteOf(
  tenantId: TenantId,
  { sms = {} }: TenantMessaging,
  dataKey: Buffer,
): SmsRoute | undefined {
  const { provider, url, account_sid: account = '', from = '' } = sms;
  const field = provider === 'webhook' ? 'secret' : 'auth_token';
  const sealed = sms[field];
  if (provider === undefined || sealed === undefined) return undefined;
  const place = messagingPlace(tenantId, 'sms', field);
  return {
    key: `${tenantId} ${sha256(JSON.stringify(sms)).toString('base64url')}`,
    tenantId,
    provider,
    url,
    account,
    from,
    secret: unseal(dataKey, Buffer.from(sealed, 'base64'), place).toString(),
  };
}
