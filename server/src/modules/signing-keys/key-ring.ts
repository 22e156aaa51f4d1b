import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../platform/clock.ts';
import type { SigningKey } from '../../platform/crypto/jws.ts';
import { unseal } from '../../platform/crypto/sealed.ts';
import {
  importPrivateKey,
  importPublicKey,
  type PrivateKey,
  type PublicKey,
} from '../../platform/crypto/signature-key.ts';
import { rememberedOfTenant, type Changes } from '../../tenancy/changes.ts';
import type { DataKeys } from '../../tenancy/data-keys.ts';
import type { Gate } from '../../tenancy/gate.ts';
import { type KeySet, keySetOf } from './key-set.ts';
import { keyStates, nextChangeOf } from './rules.ts';
import { sealedPlace } from './sealed-place.ts';
import { listSigningKeysAlone, type SigningKeyRow } from './store.ts';

/** Signs and verifies with the keys of each tenant. */
export interface KeyRing {
  /** The key that new tokens of the tenant are signed with. */
  signer(tenantId: TenantId): Promise<SigningKey>;
  /** The key of that name, to sign again what it signed before; nothing once it is gone. */
  signerNamed(tenantId: TenantId, kid: string): Promise<SigningKey | undefined>;
  /** The published key of that name; nothing when the tenant has none. */
  verifier(tenantId: TenantId, kid: string): Promise<PublicKey | undefined>;
  /** Whether the tenant has a published key of that name. */
  publishes(tenantId: TenantId, kid: string): Promise<boolean>;
  /** The public keys of the tenant, the newest first. */
  keySet(tenantId: TenantId): Promise<KeySet>;
}

/** What is kept of a tenant's keys: little, because there are many tenants. */
interface TenantKeys {
  /** Those that are published, the newest first. */
  readonly published: readonly KnownKey[];
  readonly signer: KnownKey | undefined;
  /** From this moment on another key signs, or fewer are published. Milliseconds since the epoch. */
  readonly until: number;
  /** Made when it is asked for. */
  keySet?: KeySet;
}

interface KnownKey {
  readonly kid: string;
  readonly publicKey: string;
  /** Sealed until it is needed: as text, since small buffers keep large blocks of memory from being freed. */
  privateKey: string | PrivateKey;
}

export function createKeyRing(
  gate: Gate,
  dataKeys: DataKeys,
  changes: Changes,
  clock: Clock,
): KeyRing {
  const keysOf = rememberedOfTenant(
    changes,
    async (tenantId: TenantId) =>
      known(await listSigningKeysAlone(gate.into(tenantId)), clock.now()),
    (_keys, tenantId) => tenantId,
    (keys) => clock.now().getTime() < keys.until,
  );

  async function find(tenantId: TenantId, kid: string): Promise<KnownKey | undefined> {
    return (await keysOf(tenantId))?.published.find((key) => key.kid === kid);
  }

  return {
    async signer(tenantId) {
      const signer = (await keysOf(tenantId))?.signer;
      if (!signer) throw new Error(`The tenant ${tenantId} has no signing key.`);
      return opened(dataKeys, tenantId, signer);
    },
    async signerNamed(tenantId, kid) {
      const key = await find(tenantId, kid);
      return key && opened(dataKeys, tenantId, key);
    },
    async verifier(tenantId, kid) {
      const key = await find(tenantId, kid);
      return key && importPublicKey(key.publicKey);
    },
    publishes: async (tenantId, kid) => (await find(tenantId, kid)) !== undefined,
    async keySet(tenantId) {
      const keys = await keysOf(tenantId);
      if (!keys) return keySetOf([]);
      keys.keySet ??= keySetOf(keys.published);
      return keys.keySet;
    },
  };
}

/** Opening a private key takes the tenant's data key, and so a look into the database: it is done once. */
async function opened(dataKeys: DataKeys, tenantId: TenantId, key: KnownKey): Promise<SigningKey> {
  if (typeof key.privateKey === 'string') {
    const sealed = Buffer.from(key.privateKey, 'latin1');
    const der = unseal(await dataKeys.get(tenantId), sealed, sealedPlace(tenantId, key.kid));
    key.privateKey = importPrivateKey(der);
  }
  return key as SigningKey;
}

function known(rows: readonly SigningKeyRow[], now: Date): TenantKeys {
  const states = keyStates(rows, now);
  const published = rows
    .filter((row) => states.get(row.id) !== 'retired')
    .map(({ id, public_key: publicKey, private_key: sealed }): KnownKey => {
      return { kid: id, publicKey, privateKey: sealed.toString('latin1') };
    });
  const signer = published.find((key) => states.get(key.kid) === 'current');
  return { published, signer, until: nextChangeOf(rows, now) };
}
