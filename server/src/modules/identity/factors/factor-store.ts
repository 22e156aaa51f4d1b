import type { FactorId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { KnownPasskey, NewPasskey } from '../../authentication/passkeys/index.ts';

const SHOWN = [
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

/** The factors of a user, without those that expired before they were confirmed. */
function factorsOf(tx: TenantTx, userId: UserId) {
  return tx.db
    .selectFrom('user_factors')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', tx.now)]));
}

export function listFactors(tx: TenantTx, userId: UserId) {
  return factorsOf(tx, userId).select(SHOWN).orderBy('id').execute();
}

export type FactorRow = Awaited<ReturnType<typeof listFactors>>[number];

/** An authenticator that is not confirmed, with its sealed secret. */
export function findUnconfirmed(tx: TenantTx, userId: UserId, id: FactorId) {
  return factorsOf(tx, userId)
    .select(['id', 'totp_secret'])
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
}

/** Who an authenticator app says the codes are for. */
export async function findAccountName(tx: TenantTx, userId: UserId): Promise<string> {
  const row = await tx.db
    .selectFrom('user_identifiers')
    .select('identifier')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row?.identifier ?? userId;
}

interface NewTotp {
  readonly id: FactorId;
  readonly userId: UserId;
  readonly name: string;
  readonly secret: Buffer;
  readonly expiresAt: Date;
}

export function insertTotp(tx: TenantTx, totp: NewTotp): Promise<FactorRow> {
  return tx.db
    .insertInto('user_factors')
    .values({
      tenant_id: tx.tenantId,
      id: totp.id,
      user_id: totp.userId,
      type: 'totp',
      name: totp.name,
      created_at: tx.now,
      expires_at: totp.expiresAt,
      totp_secret: totp.secret,
    })
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
}

/** @param step of the code that confirmed it, which is not accepted again */
export function confirmTotp(
  tx: TenantTx,
  userId: UserId,
  id: FactorId,
  step: number,
): Promise<FactorRow | undefined> {
  return tx.db
    .updateTable('user_factors')
    .set({ confirmed_at: tx.now, expires_at: null, last_step: String(step) })
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .returning(SHOWN)
    .executeTakeFirst();
}

/** An authenticator that a code has already confirmed. */
export function insertConfirmedTotp(
  tx: TenantTx,
  totp: Omit<NewTotp, 'expiresAt'>,
  step: number,
): Promise<FactorRow> {
  return tx.db
    .insertInto('user_factors')
    .values({
      tenant_id: tx.tenantId,
      id: totp.id,
      user_id: totp.userId,
      type: 'totp',
      name: totp.name,
      created_at: tx.now,
      confirmed_at: tx.now,
      totp_secret: totp.secret,
      last_step: String(step),
    })
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
}

/** Sets the recovery codes of a user, replacing the previous ones. */
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
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
}

export function renameFactor(
  tx: TenantTx,
  userId: UserId,
  id: FactorId,
  name: string,
): Promise<FactorRow | undefined> {
  return tx.db
    .updateTable('user_factors')
    .set({ name })
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirst();
}

export async function deleteFactors(
  tx: TenantTx,
  userId: UserId,
  ids: readonly FactorId[],
): Promise<void> {
  await tx.db
    .deleteFrom('user_factors')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute();
}

/**
 * After a change of the user's factors: logins that were decided before it open no session.
 * @returns the new `users.auth_version`
 */
export async function updateFactorState(tx: TenantTx, userId: UserId): Promise<number> {
  const { rows } = await sql<{ auth_version: number }>`
    UPDATE users u SET auth_version = auth_version + 1, has_second_factor = EXISTS (
        SELECT FROM user_factors f
         WHERE f.tenant_id = u.tenant_id AND f.user_id = u.id AND f.type IN ('totp', 'passkey') AND f.confirmed_at IS NOT NULL)
     WHERE u.tenant_id = ${tx.tenantId} AND u.id = ${userId}
    RETURNING u.auth_version`.execute(tx.db);
  return (rows[0] as { auth_version: number }).auth_version;
}

/** A passkey, and what its authenticator knows the user by. */
interface OwnedPasskey extends KnownPasskey {
  readonly id: FactorId;
  readonly userHandle: Buffer;
  readonly rpId: string;
}

export async function listPasskeys(tx: TenantTx, userId: UserId): Promise<OwnedPasskey[]> {
  const rows = await tx.db
    .selectFrom('user_factors')
    .select(['id', 'credential_id', 'transports', 'user_handle', 'rp_id'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('type', '=', 'passkey')
    .orderBy('id')
    .execute();
  return rows.flatMap(
    ({ id, credential_id: credentialId, user_handle: userHandle, rp_id: rpId, ...row }) =>
      credentialId && userHandle && rpId !== null
        ? [{ id, credentialId, userHandle, rpId, transports: row.transports ?? [] }]
        : [],
  );
}

interface Owner {
  readonly id: FactorId;
  readonly userId: UserId;
  readonly name: string;
  readonly rpId: string;
  readonly userHandle: Buffer;
}

/** @returns undefined if the tenant has the credential already, whoever's it is */
export function insertPasskey(
  tx: TenantTx,
  { id, userId, name, rpId, userHandle }: Owner,
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
    .returning(SHOWN)
    .executeTakeFirst();
}
