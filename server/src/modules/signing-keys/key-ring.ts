import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../platform/clock.ts';
import type { SigningKey } from '../../platform/crypto/jws.ts';
import { unseal } from '../../platform/crypto/sealed.ts';
import {
  importPrivateKey,
  importPublicKey,
  type PublicKey,
} from '../../platform/crypto/signature-key.ts';
import { remembered, type Changes } from '../../tenancy/changes.ts';
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
  readonly id: string;
  readonly publicKey: string;
  /** Sealed until it is needed. */
  privateKey: Buffer | SigningKey;
}

export function createKeyRing(
  gate: Gate,
  dataKeys: DataKeys,
  changes: Changes,
  clock: Clock,
): KeyRing {
  const keysOf = remembered(
    changes,
    async (tenantId: TenantId) =>
      known(await listSigningKeysAlone(gate.into(tenantId)), clock.now()),
    (_keys, tenantId) => tenantId,
    (keys) => clock.now().getTime() < keys.until,
  );
  const importedKey = privateKeys(dataKeys);

  async function find(tenantId: TenantId, kid: string): Promise<KnownKey | undefined> {
    return (await keysOf(tenantId))?.published.find((key) => key.id === kid);
  }

  return {
    async signer(tenantId) {
      const signer = (await keysOf(tenantId))?.signer;
      if (!signer) throw new Error(`The tenant ${tenantId} has no signing key.`);
      return importedKey(tenantId, signer);
    },
    async signerNamed(tenantId, kid) {
      const key = await find(tenantId, kid);
      return key && importedKey(tenantId, key);
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
function privateKeys(
  dataKeys: DataKeys,
): (tenantId: TenantId, key: KnownKey) => Promise<SigningKey> {
  return async (tenantId, key) => {
    const sealed = key.privateKey;
    if (!Buffer.isBuffer(sealed)) return sealed;
    const dataKey = await dataKeys.get(tenantId);
    const der = unseal(dataKey, sealed, sealedPlace(tenantId, key.id));
    const imported: SigningKey = { kid: key.id, privateKey: importPrivateKey(der) };
    key.privateKey = imported;
    return imported;
  };
}

function known(rows: readonly SigningKeyRow[], now: Date): TenantKeys {
  const states = keyStates(rows, now);
  const published = rows
    .filter((row) => states.get(row.id) !== 'retired')
    .map(({ id, public_key, private_key }): KnownKey => {
      return { id, publicKey: public_key, privateKey: private_key };
    });
  const signer = published.find((key) => states.get(key.id) === 'current');
  return { published, signer, until: nextChangeOf(rows, now) };
}
