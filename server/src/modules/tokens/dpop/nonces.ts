import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { DPOP_WINDOW_SECONDS } from '@keywright/contract/dpop';
import { epochSeconds } from '../../../platform/clock.ts';
import { type AuditKey, type AuditKeys, DataKeyGone } from '../../../tenancy/audit-keys.ts';

const BYTES = 16;

/** Nonces of the service (RFC 9449 §8). Nothing is stored: each is a MAC of its minute, under a key of the tenant. */
export interface Nonces {
  /** @throws DataKeyGone when the tenant was deleted */
  current(tenantId: TenantId, now: Date): Promise<string>;
  /** That of this minute or of the last one; of the next one, where the clock of another node is ahead. */
  isGood(tenantId: TenantId, nonce: string, now: Date): Promise<boolean>;
}

export function createNonces(auditKeys: Pick<AuditKeys, 'find'>): Nonces {
  const derived = new WeakMap<AuditKey, Buffer>();

  async function keyOf(tenantId: TenantId): Promise<Buffer> {
    const root = await auditKeys.find(tenantId);
    if (!root) throw new DataKeyGone(tenantId);
    const known = derived.get(root);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', root, '', 'keywright dpop nonces', 32));
    derived.set(root, key);
    return key;
  }

  return {
    async current(tenantId, now) {
      return nonceOf(await keyOf(tenantId), minuteOf(now)).toString('base64url');
    },
    async isGood(tenantId, nonce, now) {
      const given = Buffer.from(nonce, 'base64url');
      if (given.length !== BYTES || given.toString('base64url') !== nonce) return false;
      const key = await keyOf(tenantId);
      const minute = minuteOf(now);
      return [minute, minute - 1, minute + 1].some((one) =>
        timingSafeEqual(nonceOf(key, one), given),
      );
    },
  };
}

function minuteOf(now: Date): number {
  return Math.floor(epochSeconds(now) / DPOP_WINDOW_SECONDS);
}

function nonceOf(key: Buffer, minute: number): Buffer {
  return createHmac('sha256', key).update(String(minute)).digest().subarray(0, BYTES);
}
