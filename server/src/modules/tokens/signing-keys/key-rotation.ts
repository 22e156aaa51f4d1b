import type { Fail } from '@keywright/contract/errors';
import { parseSigningKeyId, type SigningKeyId, type TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm, SigningKeyRecord } from '@keywright/contract/records/signing-key';
import { newSigningKeyId } from '../../../platform/crypto/ids.ts';
import { newOpensslKey } from '../../../platform/crypto/openssl-key.ts';
import { seal } from '../../../platform/crypto/sealed.ts';
import { newSignatureKey } from '../../../platform/crypto/jws.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record, recordAll } from '../../events/journal/index.ts';
import {
  type KeyState,
  PUBLICATION_LEAD_SECONDS,
  type SigningPeriod,
  keyStates,
  sealedPlace,
  signingPeriod,
  tokensUntil,
} from './key-ring.ts';
import {
  dropPrivateKeys,
  listSigningKeys,
  lockSigningKeys,
  retireAllSigningKeys,
  retireSigningKey,
  type SigningKeyRow,
  insertSigningKey,
  type NewSigningKey,
} from './signing-keys-store.ts';

/** Every key of the tenant with its current state, the newest first. */
export async function listKeysOf(tenant: TenantData, now: Date): Promise<SigningKeyRecord[]> {
  const rows = await tenant.transaction(listSigningKeys);
  const states = keyStates(rows, now);
  return rows.map((row) => recordOf(rows, row, states.get(row.id) ?? 'retired'));
}

/** A new key, and whether it signs immediately. */
interface Rotation {
  readonly pair: KeyPair;
  readonly immediately: boolean;
}

/** Generates the new key outside any transaction, since generating an RSA key is slow. */
export async function startRotation(
  algorithm: KeyAlgorithm,
  immediately: boolean,
): Promise<Rotation> {
  return { pair: await newKeyPair(algorithm), immediately };
}

/**
 * Creates a new EdDSA key, which the commit publishes. It signs after every cached key set has expired, or
 * immediately if requested.
 */
export async function rotateSigningKey(
  tenant: TenantData,
  by: Actor,
  dataKeys: DataKeys,
  immediately: boolean,
  now: Date,
  fail: Fail<'ROTATION_IN_PROGRESS'>,
): Promise<SigningKeyRecord> {
  const rotation = await startRotation('EdDSA', immediately);
  return dataKeys.use(tenant.tenantId, (dataKey) =>
    tenant.transaction((tx) => rotateSigningKeyIn(tx, by, dataKey, rotation, now, fail)),
  );
}

/** Creates a new key of any algorithm in the caller's transaction. */
export async function rotateSigningKeyIn(
  tx: TenantTx,
  by: Actor,
  dataKey: Buffer,
  { pair, immediately }: Rotation,
  now: Date,
  fail: Fail<'ROTATION_IN_PROGRESS'>,
): Promise<SigningKeyRecord> {
  const { algorithm } = pair;
  const lead = immediately ? 0 : PUBLICATION_LEAD_SECONDS * 1000;
  await lockSigningKeys(tx);
  const present = await listSigningKeys(tx);
  const before = keyStates(present, now);
  const isWaiting = present.some((key) => isNextOf(key, algorithm, before));
  if (isWaiting && !immediately) fail('ROTATION_IN_PROGRESS');
  await dropPrivateKeys(tx, retiredOf(before));
  const { id, signsFrom } = await createSigningKey(
    tx,
    dataKey,
    pair,
    now,
    new Date(now.getTime() + lead),
  );
  await record(tx, by, {
    action: 'key.rotated',
    target: { kind: 'signing_key', id },
    details: { immediately, algorithm },
    events: [
      { type: 'key.rotated', data: { key_id: id, algorithm, signs_from: signsFrom.toISOString() } },
    ],
  });
  const rows = await listSigningKeys(tx);
  const row = rows.find((candidate) => candidate.id === id) as SigningKeyRow;
  return recordOf(rows, row, keyStates(rows, now).get(id) ?? 'next');
}

/** Removes a key from the key set. Tokens signed with it are rejected immediately. */
export async function retireKeyById(
  tenant: TenantData,
  by: Actor,
  id: string,
  now: Date,
  fail: Fail<'NOT_FOUND' | 'KEY_IN_USE'>,
): Promise<SigningKeyId> {
  const keyId = parseSigningKeyId(id) ?? fail('NOT_FOUND');
  await tenant.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const state = keyStates(await listSigningKeys(tx), now).get(keyId);
    if (state === undefined || state === 'retired') fail('NOT_FOUND');
    if (state === 'current') fail('KEY_IN_USE');
    await retireSigningKey(tx, keyId, now);
    await dropPrivateKeys(tx, [keyId]);
    await record(tx, by, {
      action: 'key.retired',
      target: { kind: 'signing_key', id: keyId },
      events: [{ type: 'key.retired', data: { key_id: keyId } }],
    });
  });
  return keyId;
}

/**
 * Retires every key of the tenant, and creates an EdDSA key that signs immediately: nothing signed before is accepted.
 * Keys of other algorithms are created when they are next needed, since creating RSA keys is slow.
 * @returns the number of published keys that were retired
 */
export async function replaceKeysIn(
  tx: TenantTx,
  by: Actor,
  dataKey: Buffer,
  now: Date,
): Promise<number> {
  await lockSigningKeys(tx);
  const states = keyStates(await listSigningKeys(tx), now);
  const published = [...states].filter(([, state]) => state !== 'retired').map(([id]) => id);
  await retireAllSigningKeys(tx, now);
  const pair = await newKeyPair('EdDSA');
  const { id, algorithm, signsFrom } = await createSigningKey(tx, dataKey, pair, now, now);
  const rotated = { key_id: id, algorithm, signs_from: signsFrom.toISOString() };
  await recordAll(tx, by, [
    ...published.map(
      (key) =>
        ({
          action: 'key.retired',
          target: { kind: 'signing_key', id: key },
          events: [{ type: 'key.retired', data: { key_id: key } }],
        }) as const,
    ),
    {
      action: 'key.rotated',
      target: { kind: 'signing_key', id },
      details: { immediately: true, algorithm },
      events: [{ type: 'key.rotated', data: rotated }],
    },
  ]);
  return published.length;
}

function retiredOf(states: ReadonlyMap<SigningKeyId, KeyState>): SigningKeyId[] {
  return [...states].filter(([, state]) => state === 'retired').map(([id]) => id);
}

function recordOf(
  all: readonly SigningKeyRow[],
  row: SigningKeyRow,
  state: SigningKeyRecord['state'],
): SigningKeyRecord {
  const ofAlgorithm = all.filter(({ algorithm }) => algorithm === row.algorithm);
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    algorithm: row.algorithm,
    public_key: row.public_key,
    is_active: state !== 'retired',
    state,
    created_at: row.created_at.toISOString(),
    signs_from: row.signs_from.toISOString(),
    tokens_until: tokensUntil(ofAlgorithm, row)?.toISOString() ?? null,
  };
}

function isNextOf(
  key: SigningKeyRow,
  algorithm: KeyAlgorithm,
  states: ReadonlyMap<SigningKeyId, KeyState>,
): boolean {
  return key.algorithm === algorithm && states.get(key.id) === 'next';
}

/** A new key, which is not stored yet. */
export interface KeyPair {
  readonly algorithm: KeyAlgorithm;
  readonly publicKey: string;
  /** PKCS#8 (DER). */
  readonly privateKey: Buffer;
}

/** A stored signing key: its private key encrypted under the tenant's data key. */
export type SealedSigningKey = Pick<NewSigningKey, 'id' | 'publicKey' | 'privateKey'>;

export async function newKeyPair(algorithm: KeyAlgorithm): Promise<KeyPair> {
  const pair = algorithm === 'EdDSA' ? newSignatureKey() : await newOpensslKey(algorithm);
  return { algorithm, ...pair };
}

/** Creates the first key of a new tenant, an EdDSA key. */
export function newSealedKey(tenantId: TenantId, dataKey: Buffer, now: Date): SealedSigningKey {
  return sealKey(tenantId, dataKey, now, newSignatureKey());
}

function sealKey(
  tenantId: TenantId,
  dataKey: Buffer,
  now: Date,
  { publicKey, privateKey }: Omit<KeyPair, 'algorithm'>,
): SealedSigningKey {
  const id = newSigningKeyId(now);
  return { id, publicKey, privateKey: seal(dataKey, privateKey, sealedPlace(tenantId, id)) };
}

/** Adds a signing key to a tenant. */
export async function createSigningKey(
  tx: TenantTx,
  dataKey: Buffer,
  pair: KeyPair,
  now: Date,
  signsFrom: Date,
): Promise<NewSigningKey> {
  const sealed = sealKey(tx.tenantId, dataKey, now, pair);
  const { algorithm } = pair;
  const key: NewSigningKey = { ...sealed, algorithm, createdAt: now, signsFrom };
  await insertSigningKey(tx, key);
  return key;
}

/** The public half of a key, and its signing period. */
export interface SignedWith extends SigningPeriod {
  readonly publicKey: string;
}

/**
 * Finds any EdDSA key that the tenant ever had, including deleted keys. Only for recognizing reuse, never for
 * authentication, which requires a published key.
 */
export async function findSignedWith(tx: TenantTx, kid: string): Promise<SignedWith | undefined> {
  const keys = (await listSigningKeys(tx)).filter(({ algorithm }) => algorithm === 'EdDSA');
  const key = keys.find((candidate) => candidate.id === kid);
  return key && { publicKey: key.public_key, ...signingPeriod(keys, key) };
}
