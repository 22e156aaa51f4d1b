import type { SigningKeyId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { sql } from 'kysely';
import {
  applicationKeys,
  type ApplicationKeysRow,
} from '../../../../sql/tokens/kw_application_keys.ts';
import { privateKey } from '../../../../sql/tokens/kw_private_key.ts';
import { from, type TenantData, type TenantTx, update } from '../../../tenancy/gate.ts';

export interface NewSigningKey {
  readonly id: SigningKeyId;
  readonly algorithm: KeyAlgorithm;
  readonly publicKey: string;
  /** Sealed under the tenant's data key. */
  readonly privateKey: Buffer;
  readonly createdAt: Date;
  readonly signsFrom: Date;
}

export async function insertSigningKey(tx: TenantTx, key: NewSigningKey): Promise<void> {
  tx.changed();
  await tx.db
    .insertInto('signing_keys')
    .values({
      tenant_id: tx.tenantId,
      id: key.id,
      algorithm: key.algorithm,
      public_key: key.publicKey,
      private_key: key.privateKey,
      created_at: key.createdAt,
      signs_from: key.signsFrom,
    })
    .execute();
}

/** Returns every key of every algorithm; the key that starts to sign last comes first. */
export function listSigningKeys(tx: TenantTx) {
  return from(tx, 'signing_keys')
    .selectAll()
    .orderBy('signs_from', 'desc')
    .orderBy('id', 'desc')
    .$narrowType<{ algorithm: KeyAlgorithm }>()
    .execute();
}

export type SigningKeyRow = Awaited<ReturnType<typeof listSigningKeys>>[number];

/** Serializes changes of a tenant's keys: each depends on the current state. */
export async function lockSigningKeys(tx: TenantTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`signing keys of ${tx.tenantId}`}, 0))`.execute(
    tx.db,
  );
}

export async function retireSigningKey(tx: TenantTx, id: SigningKeyId, now: Date): Promise<void> {
  tx.changed();
  await update(tx, 'signing_keys').set({ retired_at: now }).where('id', '=', id).execute();
}

/** Retires all keys that are not retired yet, and destroys every private key. */
export async function retireAllSigningKeys(tx: TenantTx, now: Date): Promise<void> {
  tx.changed();
  await update(tx, 'signing_keys')
    .set({ retired_at: sql`coalesce(retired_at, ${now})`, private_key: null })
    .execute();
}

/** Destroys the private keys. The public keys remain, to recognize their signatures. */
export async function dropPrivateKeys(tx: TenantTx, ids: readonly SigningKeyId[]): Promise<void> {
  if (ids.length === 0) return;
  tx.changed();
  await update(tx, 'signing_keys')
    .set({ private_key: null })
    .where('id', 'in', ids)
    .where('private_key', 'is not', null)
    .execute();
}

/** The keys of all algorithms except EdDSA, in the same order. */
export function listApplicationKeys(tenant: TenantData): Promise<ApplicationKeysRow[]> {
  return tenant.call(applicationKeys, {});
}

/** A private key; undefined once it was destroyed. */
export async function findPrivateKey(tenant: TenantData, kid: SigningKeyId) {
  const [row] = await tenant.call(privateKey, { kid });
  return row;
}
