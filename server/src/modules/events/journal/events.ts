import type { Fail } from '@keywright/contract/errors';
import type { EventRecord } from '@keywright/contract/events';
import { DEFAULT_LIMIT, MAX_LIMIT } from '@keywright/contract/list';
import type { OkOf, QueryOf } from '@keywright/contract/route';
import type { listEvents } from '@keywright/contract/routes/events';
import type { TenantData } from '../../../tenancy/gate.ts';
import { type EventRow, findEvents, findPlace } from './events-store.ts';

/** A page of the log of events, oldest first, after the reader's last one. */
export function readEvents(
  tenant: TenantData,
  query: QueryOf<typeof listEvents>,
  fail: Fail<'EVENT_UNKNOWN'>,
): Promise<OkOf<typeof listEvents>> {
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  return tenant.transaction(async (tx) => {
    const after = query.cursor ?? query.after;
    const place = after && ((await findPlace(tx, after)) ?? fail('EVENT_UNKNOWN'));
    const rows = await findEvents(tx, place, query, limit + 1);
    const items = rows.slice(0, limit).map(presentEvent);
    const last = rows.length > limit ? items.at(-1) : undefined;
    const meta = { limit, has_more: last !== undefined, ...(last && { next_cursor: last.id }) };
    return { items, meta };
  });
}

export function presentEvent(row: EventRow): EventRecord {
  return {
    id: row.id,
    type: row.type as EventRecord['type'],
    created_at: row.created_at.toISOString(),
    data: row.data as EventRecord['data'],
  };
}
