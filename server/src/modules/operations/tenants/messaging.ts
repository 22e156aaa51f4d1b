import type { TenantId } from '@keywright/contract/ids';
import {
  MASKED_SECRET,
  type TenantMessaging,
  type TenantMessagingPatch,
} from '@keywright/contract/records/tenant';
import { seal } from '../../../platform/crypto/sealed.ts';
import { isEmpty } from '../../../platform/patch.ts';
import { messagingPlace } from '../../../tenancy/channels.ts';
import { mergeSettings } from './merge.ts';

/** Where secrets are in the messaging settings: group and field. They are kept sealed, and never shown. */
const SECRETS = [
  ['email', 'smtp_password'],
  ['sms', 'auth_token'],
  ['sms', 'secret'],
] as const;

type Groups = Record<string, Record<string, unknown> | null | undefined>;

/** Seals the secrets of a change under the tenant's data key. A masked one keeps what is there. */
export function sealMessaging(
  messaging: TenantMessagingPatch,
  tenantId: TenantId,
  dataKey: Buffer,
): Groups {
  const groups = structuredClone(messaging) as Groups;
  for (const [group, field] of SECRETS) {
    const value = groups[group]?.[field];
    if (value === MASKED_SECRET) delete groups[group]?.[field];
    else if (typeof value === 'string' && groups[group]) {
      const sealed = seal(dataKey, Buffer.from(value), messagingPlace(tenantId, group, field));
      groups[group][field] = sealed.toString('base64');
    }
  }
  return groups;
}

/** The settings as they are shown: a secret that is set reads as eight stars. */
export function maskMessaging(stored: unknown): TenantMessaging {
  const groups: Record<string, Record<string, unknown>> = { ...(stored as object) };
  for (const [group, field] of SECRETS) {
    const settings = groups[group];
    if (settings && field in settings) groups[group] = { ...settings, [field]: MASKED_SECRET };
  }
  return groups;
}

/** Each group is merged field by field; one that has nothing left is gone. */
export function mergeMessaging(stored: unknown, change: Groups): object {
  const groups: Record<string, unknown> = { ...(stored as object) };
  for (const [group, fields] of Object.entries(change)) {
    const merged = fields ? mergeSettings(groups[group], fields) : {};
    if (isEmpty(merged)) delete groups[group];
    else groups[group] = merged;
  }
  return groups;
}
