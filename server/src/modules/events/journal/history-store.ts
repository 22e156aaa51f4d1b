import type { ActorKind, AuditAction, TargetKind } from '@keywright/contract/audit';
import type { AuditDetails } from '@keywright/contract/records/audit-entry';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** A past change, with the fields that show its effect. */
export interface HistoryEntry {
  readonly id: string;
  readonly created_at: Date;
  readonly action: AuditAction;
  readonly actor_kind: ActorKind;
  readonly actor_id: string | null;
  readonly on_behalf_of: string | null;
  readonly target_kind: TargetKind;
  readonly target_id: string | null;
  readonly details: AuditDetails;
}

export interface Target {
  readonly kind: TargetKind;
  readonly id: string;
}

/** The number of entries inspected per target; older ones are not found. */
const LOOKED_AT = 10_000;

/** The history of any of these, newest first. */
export async function findHistory(
  tx: TenantTx,
  targets: readonly Target[],
  actions: readonly AuditAction[],
): Promise<HistoryEntry[]> {
  const { rows } = await sql<HistoryEntry>`
    SELECT e.* FROM unnest(
        ${targets.map((one) => one.kind)}::text[], ${targets.map((one) => one.id)}::text[]
      ) AS t (kind, id)
      CROSS JOIN LATERAL (
        SELECT a.id, a.created_at, a.action, a.actor_kind, a.actor_id, a.on_behalf_of,
               a.target_kind, a.target_id, a.outcome, a.details
          FROM audit_entries a
         WHERE a.tenant_id = ${tx.tenantId} AND a.target_id = t.id
         ORDER BY a.id DESC LIMIT ${LOOKED_AT}
      ) AS e
     WHERE e.target_kind = t.kind AND e.action = ANY (${[...actions]}::text[])
       AND e.outcome = 'success'
     ORDER BY e.id DESC`.execute(tx.db);
  return rows;
}
