import type { UserId, TenantId } from '@keywright/contract/ids';
import type { MessageState } from '@keywright/contract/records/message';
import { sql } from 'kysely';
import { findSuppression as findReason } from '../../../../sql/events/kw_find_suppression.ts';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { deleteFrom, from, type Gate, type TenantTx } from '../../../tenancy/gate.ts';
import { maskAddress } from './message.ts';

const MESSAGE_COLUMNS = [
  'id',
  'tenant_id',
  'user_id',
  'kind',
  'channel',
  'masked_destination',
  'status',
  'attempts',
  'reason',
  'due_at',
  'expires_at',
  'created_at',
] as const;

interface MessageFilter {
  readonly status: MessageState | undefined;
  readonly userId: UserId | undefined;
}

function messages(tx: TenantTx, { status, userId }: MessageFilter) {
  let query = from(tx, 'messages');
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (status === 'sent') return query.where('status', '=', 'done').where('reason', 'is', null);
  // A message to an unknown address has a reason from the start.
  if (status === 'not_sent') {
    return query.where('status', '=', 'done').where('reason', 'is not', null);
  }
  return status === undefined ? query : query.where('status', '=', status);
}

/** A page, plus one row if there are more. */
export function findMessages(tx: TenantTx, filter: MessageFilter, page: Page) {
  // Ids sort by `created_at`.
  let query = messages(tx, filter).select(MESSAGE_COLUMNS);
  if (page.after) {
    const beyond = page.descending ? sql`<` : sql`>`;
    query = query.where(sql<boolean>`id ${beyond} ${page.after.id}`);
  }
  return query
    .orderBy('id', page.descending ? 'desc' : 'asc')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute();
}

export type LoggedMessage = Awaited<ReturnType<typeof findMessages>>[number];

export function countMessages(tx: TenantTx, filter: MessageFilter): Promise<number> {
  return countUpToLimit(tx, messages(tx, filter).select('id'));
}

export interface NewSuppression {
  readonly id: string;
  readonly address: string;
  readonly sealed: Buffer;
  readonly reason: 'bounce' | 'complaint';
}

export interface SuppressionRef {
  readonly tenantId: TenantId;
  readonly id: string;
}

/** @returns why each address is suppressed; undefined for an address that is not */
export async function findSuppressionReasons(
  gate: Gate,
  refs: readonly SuppressionRef[],
): Promise<(string | undefined)[]> {
  const found = await gate.callEach(
    findReason,
    refs.map(({ tenantId: tenant, id }) => ({ tenant, id })),
  );
  return found.map(([row]) => row?.answer ?? undefined);
}

/** Stores a suppression. A bounce outweighs a complaint. @returns whether this changed anything */
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

const SUPPRESSION_COLUMNS = [
  'id',
  'tenant_id',
  'masked_destination',
  'reason',
  'created_at',
] as const;

function suppressions(tx: TenantTx) {
  return from(tx, 'suppressions');
}

/** A page, plus one row if there are more. */
export function findSuppressions(tx: TenantTx, page: Page) {
  return pageOf(suppressions(tx).select(SUPPRESSION_COLUMNS), page).execute();
}

export type SuppressionRow = Awaited<ReturnType<typeof findSuppressions>>[number];

export function countSuppressions(tx: TenantTx): Promise<number> {
  return countUpToLimit(tx, suppressions(tx).select('id'));
}

export function findSuppressionRow(tx: TenantTx, id: string): Promise<SuppressionRow | undefined> {
  return suppressions(tx).select(SUPPRESSION_COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** @returns the deleted row */
export function deleteSuppression(tx: TenantTx, id: string): Promise<SuppressionRow | undefined> {
  return deleteFrom(tx, 'suppressions')
    .where('id', '=', id)
    .returning(SUPPRESSION_COLUMNS)
    .executeTakeFirst();
}
