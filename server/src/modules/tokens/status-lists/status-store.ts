import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { attachStatusBit } from '../../../../sql/tokens/kw_attach_status_bit.ts';
import { nameBit } from '../../../../sql/tokens/kw_name_bit.ts';
import { statusChanges } from '../../../../sql/tokens/kw_status_changes.ts';
import { statusList } from '../../../../sql/tokens/kw_status_list.ts';
import { takeStatusRange } from '../../../../sql/tokens/kw_take_status_range.ts';
import type { Gate, SystemTx } from '../../../tenancy/gate.ts';
import { type Sweep, SWEEP_BATCH } from '../../../tenancy/sweep-store.ts';
import type { Grant } from '../grants/index.ts';

/** After this time every token that refers to the bit has expired, since the maximum lifetime is a day. */
const REVOCATION_RETENTION = '25 hours';

/** Reserves unused bits. @returns the first reserved bit */
export async function takeBits(gate: Gate, tenantId: TenantId, count: number): Promise<number> {
  const [row] = await gate.into(tenantId).call(takeStatusRange, { count });
  return Number(row?.answer);
}

/** Returns the bit of a grant, assigning the candidate if it had none; undefined if the grant has ended or changed. */
export async function findOrNameBit(
  gate: Gate,
  { tenantId, id: grant, version }: Grant,
  candidate: number,
  now: Date,
): Promise<number | undefined> {
  const [row] = await gate.into(tenantId).call(nameBit, { grant, version, candidate, now });
  return row && row.answer !== null ? Number(row.answer) : undefined;
}

/** The bit of a single token, and when the token expires. */
export interface AttachedBit {
  readonly tenantId: TenantId;
  readonly bit: number;
  readonly expiresAt: Date;
}

/**
 * Attaches a bit to grants of one tenant. The bit is set when any of them ends.
 * @returns false if one of the grants has ended or changed
 */
export async function attachBit(
  gate: Gate,
  grants: readonly Grant[],
  { tenantId, bit, expiresAt }: AttachedBit,
  now: Date,
): Promise<boolean> {
  const [first] = grants;
  if (!first) return false;
  const [row] = await gate.into(first.tenantId).call(attachStatusBit, {
    grants: grants.map((grant) => grant.id),
    versions: grants.map((grant) => grant.version),
    listTenant: tenantId,
    idx: bit,
    expiresAt,
    now,
  });
  return row?.answer === true;
}

/** Changes with more bits than this do not list them. */
const MOST_BITS = 5000;

/** The version that a reader of a tenant's changes has read; undefined before the first. */
export interface ReadPlace {
  readonly tenantId: TenantId;
  readonly after: number | undefined;
}

/** The changes in a tenant since a version. */
export interface ChangeRow {
  readonly version: number;
  /** The bits that were set; undefined if there are more than MOST_BITS. */
  readonly bits: readonly number[] | undefined;
}

/** Returns, in order, the changes after each version; undefined where there are none. */
export async function findChanges(
  gate: Gate,
  places: readonly ReadPlace[],
): Promise<(ChangeRow | undefined)[]> {
  const rows = await gate.callMany(statusChanges, {
    tenants: places.map((place) => place.tenantId),
    after: places.map((place) => place.after ?? null),
    most: MOST_BITS,
  });
  const changes = Array.from<ChangeRow | undefined>({ length: places.length });
  for (const { place, version, indexes } of rows) {
    changes[place] = { version: Number(version), bits: indexes?.map(Number) };
  }
  return changes;
}

export interface ListRow {
  readonly version: number;
  /** The set bits, counted from the first of the list. */
  readonly bits: readonly number[];
}

/** A list; undefined if none of its bits was ever assigned. */
export async function findList(
  gate: Gate,
  tenantId: TenantId,
  list: number,
): Promise<ListRow | undefined> {
  const first = list * LIST_BITS;
  const [row] = await gate.into(tenantId).call(statusList, { first, end: first + LIST_BITS });
  return row && { version: Number(row.version), bits: row.indexes };
}

/** The assumed maximum number of bits that a tenant assigns per second. */
const MOST_BITS_PER_SECOND = 1000;
/** Allows for bits that nodes had reserved, and for the seconds around the backup. */
const SPARE_BITS = 1_000_000;
/** The assumed maximum lead of the previous server's clock, in milliseconds. */
const SPARE_VERSIONS = 60_000;

/**
 * Skips, in all tenants, the bits and versions that may have been used in these seconds, since verifiers may consider
 * the bits revoked and the versions old. The next assigned bit is the first of a list.
 */
export async function skipUsedNumbers(tx: SystemTx, seconds: number): Promise<void> {
  const bits = SPARE_BITS + Math.ceil(seconds) * MOST_BITS_PER_SECOND;
  await sql`
    INSERT INTO status_ranges AS r (tenant_id, next_idx)
    SELECT tenant_id, (1 + ${bits}::bigint / ${LIST_BITS}) * ${LIST_BITS}
      FROM tenants WHERE deleted_at IS NULL
    ON CONFLICT (tenant_id) DO UPDATE
       SET next_idx = (1 + (r.next_idx + ${bits}::bigint) / ${LIST_BITS}) * ${LIST_BITS}`.execute(
    tx.db,
  );
  await sql`
    INSERT INTO status_positions AS p (tenant_id, version)
    SELECT tenant_id, floor(extract(epoch FROM now()) * 1000)::bigint + ${SPARE_VERSIONS}
      FROM tenants WHERE deleted_at IS NULL
    ON CONFLICT (tenant_id) DO UPDATE SET version = greatest(p.version + 1, excluded.version)`.execute(
    tx.db,
  );
}

/** Deletes old revocations. Versions are database times in milliseconds. */
export const revocationsSweep: Sweep = {
  table: 'status_revocations',
  async deleteBatch(tx) {
    const { numAffectedRows } = await sql`
      DELETE FROM status_revocations WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM status_revocations
         WHERE version < (extract(epoch FROM now() - ${REVOCATION_RETENTION}::interval) * 1000)::bigint
         LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED))`.execute(tx.db);
    return Number(numAffectedRows ?? 0n);
  },
};

/** The number of bits in a list: 16 KiB uncompressed. */
export const LIST_BITS = 131_072;
