import type { FactorId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { type TenantTx, deleteFrom, from, update } from '../../../tenancy/gate.ts';

const COLUMNS = [
  'id',
  'user_id',
  'type',
  'name',
  'created_at',
  'confirmed_at',
  'last_used_at',
  'failures',
  'rp_id',
  'aaguid',
  'backup_eligible',
  'backed_up',
  'transports',
] as const;

/** The factors of a user, except those that expired before they were confirmed. */
function factorsOf(tx: TenantTx, userId: UserId) {
  return from(tx, 'user_factors')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', tx.now)]));
}

export function listFactors(tx: TenantTx, userId: UserId) {
  return factorsOf(tx, userId).select(COLUMNS).orderBy('id').execute();
}

export type FactorRow = Awaited<ReturnType<typeof listFactors>>[number];

/** An unconfirmed authenticator, with its sealed secret. */
export function findUnconfirmed(tx: TenantTx, userId: UserId, id: FactorId) {
  return factorsOf(tx, userId)
    .select(['id', 'totp_secret'])
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
}

/** The types of those of the given factors that the user still has. */
export async function findFactorTypes(
  tx: TenantTx,
  userId: UserId,
  ids: readonly FactorId[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await from(tx, 'user_factors')
    .select('type')
    .where('user_id', '=', userId)
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ type }) => type));
}

interface NewTotp {
  readonly id: FactorId;
  readonly userId: UserId;
  readonly name: string;
  /** Sealed. */
  readonly secret: Buffer;
}

/** Inserts an unconfirmed authenticator. */
export function insertTotp(
  tx: TenantTx,
  { id, userId, name, secret, expiresAt }: NewTotp & { readonly expiresAt: Date },
): Promise<FactorRow> {
  return tx.db
    .insertInto('user_factors')
    .values({
      tenant_id: tx.tenantId,
      id,
      user_id: userId,
      type: 'totp',
      name,
      created_at: tx.now,
      expires_at: expiresAt,
      totp_secret: secret,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** @param step the time step of the confirming code, which is not accepted again */
export function confirmTotp(
  tx: TenantTx,
  userId: UserId,
  id: FactorId,
  step: number,
): Promise<FactorRow | undefined> {
  return update(tx, 'user_factors')
    .set({ confirmed_at: tx.now, expires_at: null, last_step: String(step) })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Inserts an authenticator that was already confirmed by a code. */
export function insertConfirmedTotp(
  tx: TenantTx,
  { id, userId, name, secret }: NewTotp,
  step: number,
): Promise<FactorRow> {
  return tx.db
    .insertInto('user_factors')
    .values({
      tenant_id: tx.tenantId,
      id,
      user_id: userId,
      type: 'totp',
      name,
      created_at: tx.now,
      confirmed_at: tx.now,
      totp_secret: secret,
      last_step: String(step),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** A passkey that was just created. */
export interface NewPasskey {
  readonly credentialId: Buffer;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly algorithm: number;
  readonly coseKey: Buffer;
  readonly counter: number;
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
  readonly aaguid: string;
  readonly transports: readonly string[];
}

interface PasskeyFactor {
  readonly id: FactorId;
  readonly userId: UserId;
  readonly name: string;
  readonly rpId: string;
  readonly userHandle: Buffer;
}

/** @returns undefined if any user of the tenant already has the credential */
export function insertPasskey(
  tx: TenantTx,
  { id, userId, name, rpId, userHandle }: PasskeyFactor,
  passkey: NewPasskey,
): Promise<FactorRow | undefined> {
  return tx.db
    .insertInto('user_factors')
    .values({
      tenant_id: tx.tenantId,
      id,
      user_id: userId,
      type: 'passkey',
      name,
      created_at: tx.now,
      confirmed_at: tx.now,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      algorithm: passkey.algorithm,
      cose_key: passkey.coseKey,
      rp_id: rpId,
      counter: String(passkey.counter),
      backup_eligible: passkey.isBackupEligible,
      backed_up: passkey.isBackedUp,
      transports: sql<string[]>`${[...passkey.transports]}::text[]`,
      aaguid: passkey.aaguid,
      user_handle: userHandle,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'credential_id'])
        .where('credential_id', 'is not', null)
        .doNothing(),
    )
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** A passkey as browsers know it. */
export interface RegisteredPasskey {
  readonly credentialId: Buffer;
  readonly transports: readonly string[];
}

/** A passkey of a user, and the handle that authenticators identify the user by. */
interface UserPasskey extends RegisteredPasskey {
  readonly id: FactorId;
  readonly userHandle: Buffer;
  readonly rpId: string;
}

function passkeysOf(tx: TenantTx, userId: UserId) {
  return from(tx, 'user_factors').where('user_id', '=', userId).where('type', '=', 'passkey');
}

export async function findPasskeys(tx: TenantTx, userId: UserId): Promise<UserPasskey[]> {
  const rows = await passkeysOf(tx, userId)
    .select(['id', 'credential_id', 'transports', 'user_handle', 'rp_id'])
    .orderBy('id')
    .execute();
  return rows.flatMap((row) => {
    const { id, credential_id: credentialId, user_handle: userHandle, rp_id: rpId } = row;
    if (!credentialId || !userHandle || rpId === null) return [];
    return [{ id, credentialId, userHandle, rpId, transports: row.transports ?? [] }];
  });
}

/** Locks a passkey until the commit. @returns undefined if it does not belong to the user */
export async function lockPasskey(tx: TenantTx, userId: UserId, credentialId: Buffer) {
  const row = await passkeysOf(tx, userId)
    .select(['id', 'public_key', 'algorithm', 'backup_eligible', 'user_handle', 'rp_id'])
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst();
  const { public_key: publicKey, algorithm, user_handle: userHandle, rp_id: rpId } = row ?? {};
  if (!row || !publicKey || !userHandle || typeof algorithm !== 'number') return undefined;
  const isBackupEligible = row.backup_eligible === true;
  return { id: row.id, publicKey, algorithm, isBackupEligible, userHandle, rpId };
}

/** What the authenticator reports together with the signature. */
export interface Asserted {
  /** The number of signatures; 0 if the authenticator does not count them. */
  readonly counter: number;
  readonly isBackedUp: boolean;
}

/** Stores the counter of an assertion. @returns false if it did not increase, as in `kw_use_passkeys` */
export async function usePasskey(
  tx: TenantTx,
  userId: UserId,
  id: FactorId,
  { counter, isBackedUp }: Asserted,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'user_factors')
    .set({ counter: String(counter), backed_up: isBackedUp, last_used_at: tx.now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where((is) =>
      is.or([
        is('counter', '<', String(counter)),
        is.and([is('counter', '=', '0'), is(is.val(counter), '=', 0)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores the recovery codes of a user, replacing the previous ones. */
export function putRecoveryCodes(
  tx: TenantTx,
  { id, userId, name }: { readonly id: FactorId; readonly userId: UserId; readonly name: string },
  hashes: readonly Buffer[],
): Promise<FactorRow> {
  const codes = sql<Buffer[]>`${[...hashes]}::bytea[]`;
  return tx.db
    .insertInto('user_factors')
    .values({
      tenant_id: tx.tenantId,
      id,
      user_id: userId,
      type: 'recovery_codes',
      name,
      created_at: tx.now,
      confirmed_at: tx.now,
      recovery_codes: codes,
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id']).where('type', '=', 'recovery_codes').doUpdateSet({
        recovery_codes: codes,
        created_at: tx.now,
        confirmed_at: tx.now,
        failures: 0,
      }),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export function renameFactor(
  tx: TenantTx,
  userId: UserId,
  id: FactorId,
  name: string,
): Promise<FactorRow | undefined> {
  return update(tx, 'user_factors')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
}

export async function deleteFactors(
  tx: TenantTx,
  userId: UserId,
  ids: readonly FactorId[],
): Promise<void> {
  await deleteFrom(tx, 'user_factors')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute();
}

/** Deletes all factors of a user. */
export async function deleteAllFactors(tx: TenantTx, userId: UserId): Promise<void> {
  await deleteFrom(tx, 'user_factors').where('user_id', '=', userId).execute();
}
