import type { FactorId, UserId, TenantId } from '@keywright/contract/ids';
import type { FactorRecord } from '@keywright/contract/records/factor';
import { sql } from 'kysely';
import { deleteFrom, from, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { NewPasskey } from '../../authentication/passkeys/index.ts';
import { MAX_FAILURES } from '../../authentication/proofs/index.ts';
import type { Change } from '../../events/journal/index.ts';

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

/** The name of the account that authenticators display: the user's first identifier. */
export async function findAccountName(tx: TenantTx, userId: UserId): Promise<string> {
  const row = await from(tx, 'user_identifiers')
    .select('identifier')
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

/**
 * Updates the user after a change to their factors. Logins that were decided before the change cannot open a session.
 * @returns the new `users.auth_version`
 */
export async function updateFactorState(tx: TenantTx, userId: UserId): Promise<number> {
  const { auth_version: authVersion } = await update(tx, 'users')
    .set((eb) => ({
      auth_version: eb('auth_version', '+', 1),
      has_second_factor: sql<boolean>`EXISTS (
        SELECT FROM user_factors f
         WHERE f.tenant_id = users.tenant_id AND f.user_id = users.id AND f.type IN ('totp', 'passkey')
           AND f.confirmed_at IS NOT NULL)`,
    }))
    .where('id', '=', userId)
    .returning('auth_version')
    .executeTakeFirstOrThrow();
  return authVersion;
}

/** All factors of a user, including unconfirmed ones. */
export const MAX_FACTORS = 20;

interface Confirmable {
  readonly confirmed_at: Date | null;
}

/** A factor has no effect until it is confirmed. */
export function isConfirmed({ confirmed_at: at }: Confirmable): boolean {
  return at !== null;
}

/** Whether logins require it. */
export function isAuthenticator(factor: Confirmable & { readonly type: string }): boolean {
  return !isRecoveryCodes(factor) && isConfirmed(factor);
}

export function isRecoveryCodes({ type }: { readonly type: string }): boolean {
  return type === 'recovery_codes';
}

export function presentFactor(tenantId: TenantId, row: FactorRow): FactorRecord {
  return {
    id: row.id,
    tenant_id: tenantId,
    user_id: row.user_id,
    type: row.type,
    name: row.name,
    created_at: row.created_at.toISOString(),
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    is_suspended: row.failures >= MAX_FAILURES,
    ...presentPasskey(row),
  };
}

function presentPasskey(row: FactorRow): Pick<FactorRecord, 'passkey'> {
  const { rp_id, aaguid, transports } = row;
  if (rp_id === null || aaguid === null) return {};
  const is_device_bound = row.backup_eligible === false;
  const is_synced = row.backed_up === true;
  return { passkey: { rp_id, aaguid, is_synced, is_device_bound, transports: transports ?? [] } };
}

interface ChangedFactor extends Confirmable {
  readonly id: FactorId;
  readonly user_id: UserId;
  readonly type: FactorRecord['type'];
}

/** The audit record of an added or removed factor. Only confirmed factors emit events. */
export function factorChange(
  action: 'factor.begun' | 'factor.added' | 'factor.removed',
  factor: ChangedFactor,
): Change {
  const { id, user_id, type } = factor;
  const data = { factor_id: id, user_id, type };
  return {
    action,
    target: { kind: 'factor', id },
    details: { user_id, type },
    events: action === 'factor.begun' || !isConfirmed(factor) ? [] : [{ type: action, data }],
  };
}

/** The audit record of a factor that was renamed, or whose codes were replaced. */
export function factorUpdate(
  { id, user_id }: Pick<ChangedFactor, 'id' | 'user_id'>,
  fields: string[],
): Change {
  return {
    action: 'factor.updated',
    target: { kind: 'factor', id },
    details: { user_id, fields },
  };
}
