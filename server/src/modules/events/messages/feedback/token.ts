import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';

/** Of the address that mail providers report to. Derived, so that it is stored nowhere. */
export function feedbackToken(dataKey: Buffer, tenantId: TenantId): string {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright feedback', 32));
  return createHmac('sha256', key).update(tenantId).digest('base64url');
}

/** In constant time. */
export function isFeedbackToken(dataKey: Buffer, tenantId: TenantId, given: string): boolean {
  const [right, other] = [feedbackToken(dataKey, tenantId), given].map((one) => Buffer.from(one));
  return right?.length === other?.length && timingSafeEqual(right as Buffer, other as Buffer);
}

/** What cannot be a token is rejected before the tenant's key is read. */
export function isLikeToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
