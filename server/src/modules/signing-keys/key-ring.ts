import type { KeyObject } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import type { SigningKey } from '../../platform/crypto/jws.ts';
import type { DataKeys } from '../../tenancy/data-keys.ts';
import type { Gate } from '../../tenancy/gate.ts';
import { type Changes, remembered } from '../../tenancy/changes.ts';
import { createImportedKeys } from './imported-keys.ts';
import { type KeyState, keyStates } from './rules.ts';
import { listSigningKeys, type SigningKeyRow } from './store.ts';
import type { Clock } from '../../platform/clock.ts';

interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
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

export function createKeyRing(
  gate: Gate,
  dataKeys: DataKeys,
  changes: Changes,
  clock: Clock,
): KeyRing {
  const keysOf = remembered(
    changes,
    (tenantId: TenantId) => gate.into(tenantId).transaction(listSigningKeys),
    (_rows, tenantId) => tenantId,
  );
  const imported = createImportedKeys(dataKeys);

  /** The keys that are published now, that signs last first. */
  async function usable(tenantId: TenantId): Promise<readonly UsableKey[]> {
    const known = (await keysOf(tenantId)) ?? [];
    const states = keyStates(known, clock.now());
    return known
      .map((row) => ({ row, state: states.get(row.id) }))
      .filter(({ state }) => state !== 'retired');
  }

  async function find(tenantId: TenantId, kid: string): Promise<SigningKeyRow | undefined> {
    return (await usable(tenantId)).find(({ row }) => row.id === kid)?.row;
  }

  return {
    async signer(tenantId) {
      const current = (await usable(tenantId)).find(({ state }) => state === 'current');
      if (!current) throw new Error(`The tenant ${tenantId} has no signing key.`);
      return imported.privateKey(tenantId, current.row);
    },
    async signerNamed(tenantId, kid) {
      const row = await find(tenantId, kid);
      return row && imported.privateKey(tenantId, row);
    },
    async verifier(tenantId, kid) {
      const row = await find(tenantId, kid);
      return row && imported.publicKey(row);
    },
    published: async (tenantId) => (await usable(tenantId)).map(({ row }) => publicJwk(row)),
  };
}

interface UsableKey {
  readonly row: SigningKeyRow;
  readonly state: KeyState | undefined;
}

function publicJwk(row: SigningKeyRow): PublicJwk {
  return { kty: 'OKP', crv: 'Ed25519', x: row.public_key, kid: row.id, alg: 'EdDSA', use: 'sig' };
}
