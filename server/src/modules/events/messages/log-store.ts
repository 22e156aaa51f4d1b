import type { MessageState } from '@keywright/contract/records/message';
import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { countSome, type Page } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

const SHOWN = [
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

export interface MessageFilter {
  readonly status: MessageState | undefined;
  readonly userId: UserId | undefined;
}

function messages(tx: TenantTx, { status, userId }: MessageFilter) {
  let query = tx.db.selectFrom('messages').where('tenant_id', '=', tx.tenantId);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (status === 'sent') return query.where('status', '=', 'done').where('reason', 'is', null);
  // A message to nobody has a reason from the beginning.
  if (status === 'not_sent') {
    return query.where('status', '=', 'done').where('reason', 'is not', null);
  }
  return status === undefined ? query : query.where('status', '=', status);
}

/** A page, plus one row if there are more. */
export function findMessages(tx: TenantTx, filter: MessageFilter, page: Page) {
  // Ids sort by `created_at`.
  let query = messages(tx, filter).select(SHOWN);
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
  return countSome(tx, messages(tx, filter).select('id'));
}
