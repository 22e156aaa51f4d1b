import { hkdfSync } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import { type AuditKey, type AuditKeys, DataKeyGone } from '../../../tenancy/audit-keys.ts';

const TEXT = /^[A-Za-z0-9_-]{1,16384}$/;

/** What a sealed text is for: one that was sealed for something else, or elsewhere, does not open. */
interface SealedFor {
  readonly tenantId: TenantId;
  readonly purpose:
    | 'authorization code'
    | 'authorization request'
    | 'auth session'
    | 'logout'
    | 'ended login'
    | 'preview';
  /** What it belongs to besides, such as a cookie. */
  readonly boundTo?: string;
}

/**
 * Seals what a browser or an application carries from one step to the next: it can neither read nor change it, and nothing is stored
 * (AES-256-GCM under a key of the tenant's own).
 */
export interface Seals {
  /** @throws DataKeyGone when the tenant was deleted */
  seal(value: object, place: SealedFor): Promise<string>;
  /** Undefined unless it was sealed for this place. */
  open(text: string, place: SealedFor): Promise<unknown>;
}

export function createSeals(auditKeys: Pick<AuditKeys, 'find'>): Seals {
  /** By the key that they are derived from, and as long as that is cached. */
  const derived = new WeakMap<AuditKey, Map<SealedFor['purpose'], Buffer>>();

  /** Derived from another derived key, which is cached: the data key itself is not (RFC 5869). */
  async function keyOf({ tenantId, purpose }: SealedFor): Promise<Buffer> {
    const root = await auditKeys.find(tenantId);
    if (!root) throw new DataKeyGone(tenantId);
    const keys = derived.get(root) ?? new Map<SealedFor['purpose'], Buffer>();
    derived.set(root, keys);
    const known = keys.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', root, '', `keywright ${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  }

  const nameOf = ({ tenantId, purpose, boundTo = '' }: SealedFor) =>
    JSON.stringify([purpose, tenantId, boundTo]);

  return {
    async seal(value, place) {
      const plain = Buffer.from(JSON.stringify(value));
      return seal(await keyOf(place), plain, nameOf(place)).toString('base64url');
    },
    async open(text, place) {
      if (!TEXT.test(text)) return undefined;
      const sealed = Buffer.from(text, 'base64url');
      // RFC 4648 §3.5: other texts decode to the same bytes. Of a code, each would be a code of its own.
      if (sealed.toString('base64url') !== text) return undefined;
      const key = await keyOf(place);
      try {
        const plain = unseal(key, sealed, nameOf(place));
        return JSON.parse(plain.toString()) as unknown;
      } catch {
        return undefined;
      }
    },
  };
}
