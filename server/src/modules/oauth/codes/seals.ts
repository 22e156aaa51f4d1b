import { hkdfSync } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import { type AuditKey, type AuditKeys, DataKeyGone } from '../../../tenancy/audit-keys.ts';

const TEXT = /^[A-Za-z0-9_-]{1,16384}$/;

/** The context of a sealed text, which cannot be opened in any other context. */
interface SealContext {
  readonly tenantId: TenantId;
  readonly purpose:
    | 'authorization code'
    | 'authorization request'
    | 'auth session'
    | 'logout'
    | 'ended login'
    | 'preview';
  /** An additional binding, such as the value of a cookie. */
  readonly boundTo?: string;
}

/**
 * Seals the state that a browser or an application carries between requests, so that it need not be stored. The
 * carrier can neither read nor change it (AES-256-GCM under a key of the tenant).
 */
export class Seals {
  readonly #auditKeys: Pick<AuditKeys, 'find'>;
  /** Derived keys by their root key, dropped together with the cached root key. */
  readonly #derivedKeys = new WeakMap<AuditKey, Map<SealContext['purpose'], Buffer>>();

  constructor(auditKeys: Pick<AuditKeys, 'find'>) {
    this.#auditKeys = auditKeys;
  }

  /** @throws DataKeyGone if the tenant was deleted */
  async seal(value: object, context: SealContext): Promise<string> {
    const plain = Buffer.from(JSON.stringify(value));
    const key = await this.#keyOf(context);
    return seal(key, plain, associatedDataOf(context)).toString('base64url');
  }

  /** @returns undefined unless the text was sealed in this context */
  async open(text: string, context: SealContext): Promise<unknown> {
    if (!TEXT.test(text)) return undefined;
    const sealed = Buffer.from(text, 'base64url');
    // RFC 4648 §3.5: several texts decode to the same bytes, so each would count as a different code.
    if (sealed.toString('base64url') !== text) return undefined;
    const key = await this.#keyOf(context);
    try {
      const plain = unseal(key, sealed, associatedDataOf(context));
      return JSON.parse(plain.toString()) as unknown;
    } catch {
      return undefined;
    }
  }

  /** The root key, derived from the tenant's data key, which is not cached (RFC 5869). */
  async #keyOf({ tenantId, purpose }: SealContext): Promise<Buffer> {
    const root = await this.#auditKeys.find(tenantId);
    if (!root) throw new DataKeyGone(tenantId);
    const keys = this.#derivedKeys.get(root) ?? new Map<SealContext['purpose'], Buffer>();
    this.#derivedKeys.set(root, keys);
    const cached = keys.get(purpose);
    if (cached) return cached;
    const key = Buffer.from(hkdfSync('sha256', root, '', `keywright ${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  }
}

function associatedDataOf({ tenantId, purpose, boundTo = '' }: SealContext): string {
  return JSON.stringify([purpose, tenantId, boundTo]);
}
