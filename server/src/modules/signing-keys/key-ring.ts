import type { KeyObject } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { LRUCache } from 'lru-cache';
import type { SigningKey } from '../../platform/crypto/jws.ts';
import { unseal } from '../../platform/crypto/sealed.ts';
import { importPrivateKey, importPublicKey } from '../../platform/crypto/signature-key.ts';
import type { DataKeys } from '../../tenancy/data-keys.ts';
import type { Gate } from '../../tenancy/gate.ts';
import { listSigningKeys } from './store.ts';

/** Which keys a tenant has is asked anew after this long; a key itself never changes under its id. */
const FRESH_MS = 1000;
const MAX_TENANTS = 10_000;

interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** The signing keys of one tenant, as they stand now. */
interface TenantKeys {
  readonly published: readonly PublicJwk[];
  readonly sealedPrivateKeys: ReadonlyMap<string, Buffer>;
}

/** Signs and verifies with the keys of each tenant. */
export interface KeyRing {
  /** The key that new tokens of the tenant are signed with. */
  signer(tenantId: TenantId): Promise<SigningKey>;
  /** The key of that name, to sign again what it signed before; nothing once it is gone. */
  signerNamed(tenantId: TenantId, kid: string): Promise<SigningKey | undefined>;
  /** The published key of that name; nothing when the tenant has none. */
  verifier(tenantId: TenantId, kid: string): Promise<KeyObject | undefined>;
  /** Public keys of the tenant, the newest first. */
  published(tenantId: TenantId): Promise<readonly PublicJwk[]>;
}

export function sealedPlace(tenantId: TenantId, kid: string): string {
  return `signing_keys/${tenantId}/${kid}/private_key`;
}

export function createKeyRing(gate: Gate, dataKeys: DataKeys): KeyRing {
  const tenants = new LRUCache<TenantId, TenantKeys>({
    max: MAX_TENANTS,
    ttl: FRESH_MS,
    fetchMethod: (tenantId) => loadKeys(gate, tenantId),
  });
  // By tenant and id: two tenants may have keys of the same id.
  const privateKeys = new LRUCache<string, SigningKey>({ max: MAX_TENANTS });
  const publicKeys = new LRUCache<string, KeyObject>({ max: MAX_TENANTS });

  async function keysOf(tenantId: TenantId): Promise<TenantKeys> {
    return (await tenants.fetch(tenantId)) as TenantKeys;
  }

  async function signerNamed(tenantId: TenantId, kid: string): Promise<SigningKey | undefined> {
    const sealed = (await keysOf(tenantId)).sealedPrivateKeys.get(kid);
    if (!sealed) return undefined;
    const place = sealedPlace(tenantId, kid);
    const known = privateKeys.get(place);
    if (known) return known;
    const der = unseal(await dataKeys.get(tenantId), sealed, place);
    const key: SigningKey = { kid, privateKey: importPrivateKey(der) };
    privateKeys.set(place, key);
    return key;
  }

  return {
    signerNamed,
    async signer(tenantId) {
      const newest = (await keysOf(tenantId)).published[0];
      const key = newest && (await signerNamed(tenantId, newest.kid));
      if (!key) throw new Error(`The tenant ${tenantId} has no active signing key.`);
      return key;
    },
    async verifier(tenantId, kid) {
      const jwk = (await keysOf(tenantId)).published.find((one) => one.kid === kid);
      if (!jwk) return undefined;
      const place = `${tenantId} ${kid}`;
      const known = publicKeys.get(place);
      if (known) return known;
      const key = importPublicKey(jwk.x);
      publicKeys.set(place, key);
      return key;
    },
    published: async (tenantId) => (await keysOf(tenantId)).published,
  };
}

async function loadKeys(gate: Gate, tenantId: TenantId): Promise<TenantKeys> {
  const rows = await gate.into(tenantId).transaction(listSigningKeys);
  return {
    published: rows.map((row) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: row.public_key,
      kid: row.id,
      alg: 'EdDSA',
      use: 'sig',
    })),
    sealedPrivateKeys: new Map(rows.map((row) => [row.id, row.private_key])),
  };
}
