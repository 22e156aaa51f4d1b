import { createHmac, hkdfSync } from 'node:crypto';
import type { MessageKind } from '@keywright/contract/messages';
import type { TenantId } from '@keywright/contract/ids';

/** The id of the suppression of an address: of no use without the key of the tenant. */
export function suppressionId(dataKey: Buffer, address: string): string {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright suppressions', 32));
  return createHmac('sha256', key).update(address).digest('base64url');
}

/** The place that the address of a suppression is sealed for. */
export function suppressionPlace(tenantId: TenantId, id: string): string {
  return `suppressions/${tenantId}/${id}/destination`;
}

/** A complaint is about notices: a code was asked for. */
export function isSuppressed(reason: string | undefined, kind: MessageKind): boolean {
  // Reports, and a mail server of an attacker, must not keep administrators from being warned.
  if (kind === 'notice.logins_changed') return false;
  return reason === 'bounce' || (reason === 'complaint' && kind.startsWith('notice.'));
}
