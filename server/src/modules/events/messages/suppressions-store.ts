import type { TenantId } from '@keywright/contract/ids';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import { maskAddress } from './message.ts';
import { findSuppressions as findReasons } from '../../../../sql/events/kw_find_suppressions.ts';
import { batched } from '../../../platform/db/batch.ts';
import { rowsByPlace } from '../../../platform/db/writes.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';

export interface NewSuppression {
  readonly id: string;
  readonly address: string;
  readonly sealed: Buffer;
  readonly reason: 'bounce' | 'complaint';
}

interface SuppressionRef {
  readonly tenantId: TenantId;
  readonly id: string;
}

/** @returns why the address is not written to */
export type FindSuppression = (ref: SuppressionRef) => Promise<string | undefined>;

/** Lookups of messages that are sent at the same time are one statement. */
export function createFindSuppression(gate: Gate): FindSuppression {
  return batched(
    async (refs: readonly SuppressionRef[]) => {
      const rows = await gate.callMany(findReasons, {
        tenants: refs.map((one) => one.tenantId),
        ids: refs.map((one) => one.id),
      });
      return rowsByPlace(refs.length, rows).map(([row]) => row?.reason);
    },
    { size: 32, flights: 4 },
  );
}

/** A bounce outweighs a complaint. @returns whether that changed anything */
export async function insertSuppression(
  tx: TenantTx,
  { id, address, sealed, reason }: NewSuppression,
): Promise<boolean> {
  const row = await tx.db
    .insertInto('suppressions')
    .values({
      tenant_id: tx.tenantId,
      id,
      destination: sealed,
      masked_destination: maskAddress(address),
      reason,
      created_at: tx.now,
    })
    .onConflict((conflict) =>
      reason === 'bounce'
        ? conflict
            .columns(['tenant_id', 'id'])
            .doUpdateSet({ reason })
            .where('suppressions.reason', '<>', reason)
        : conflict.doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const SHOWN = ['id', 'tenant_id', 'masked_destination', 'reason', 'created_at'] as const;

function suppressions(tx: TenantTx) {
  return tx.db.selectFrom('suppressions').where('tenant_id', '=', tx.tenantId);
}

/** A page, plus one row if there are more. */
export function findSuppressions(tx: TenantTx, page: Page) {
  return pageOf(suppressions(tx).select(SHOWN), page).execute();
}

export type SuppressionRow = Awaited<ReturnType<typeof findSuppressions>>[number];

export function countSuppressions(tx: TenantTx): Promise<number> {
  return countSome(tx, suppressions(tx).select('id'));
}

export function findSuppressionRow(tx: TenantTx, id: string): Promise<SuppressionRow | undefined> {
  return suppressions(tx).select(SHOWN).where('id', '=', id).executeTakeFirst();
}

/** @returns what it deleted */
export function deleteSuppression(tx: TenantTx, id: string): Promise<SuppressionRow | undefined> {
  return tx.db
    .deleteFrom('suppressions')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirst();
}
