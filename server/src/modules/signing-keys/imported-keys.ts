import type { KeyObject } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { LRUCache } from 'lru-cache';
import type { SigningKey } from '../../platform/crypto/jws.ts';
import { unseal } from '../../platform/crypto/sealed.ts';
import { importPrivateKey, importPublicKey } from '../../platform/crypto/signature-key.ts';
import type { DataKeys } from '../../tenancy/data-keys.ts';
import type { SigningKeyRow } from './store.ts';

const MAX_KEYS = 20_000;

/** Where the private half of a key is kept, which it is sealed for. */
export function sealedPlace(tenantId: string, kid: string): string {
  return `signing_keys/${tenantId}/${kid}/private_key`;
}

/** Keys in the form that signs and verifies: importing one costs more than using it. */
export interface ImportedKeys {
  privateKey(tenantId: TenantId, row: SigningKeyRow): Promise<SigningKey>;
  publicKey(row: SigningKeyRow): KeyObject;
}

export function createImportedKeys(dataKeys: DataKeys): ImportedKeys {
  // By tenant and id, since two tenants may have keys of the same id. A key never changes under its id, so
  // what was imported once stays right.
  const privateKeys = new LRUCache<string, SigningKey>({ max: MAX_KEYS });
  const publicKeys = new LRUCache<string, KeyObject>({ max: MAX_KEYS });
  return {
    async privateKey(tenantId, row) {
      const place = sealedPlace(tenantId, row.id);
      const known = privateKeys.get(place);
      if (known) return known;
      const der = unseal(await dataKeys.get(tenantId), row.private_key, place);
      const key: SigningKey = { kid: row.id, privateKey: importPrivateKey(der) };
      privateKeys.set(place, key);
      return key;
    },
    publicKey(row) {
      const place = `${row.tenant_id} ${row.id}`;
      const known = publicKeys.get(place);
      if (known) return known;
      const key = importPublicKey(row.public_key);
      publicKeys.set(place, key);
      return key;
    },
  };
}
