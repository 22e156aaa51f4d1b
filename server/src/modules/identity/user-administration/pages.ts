import type { TenantId } from '@keywright/contract/ids';
import { batched } from '../../../platform/db/batch.ts';
import { COUNT_UP_TO } from '../../../platform/db/page.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { type FoundUsers, listUserPages, type WantedPage } from './list-store.ts';

/**
 * Finds a page of all users. Concurrent requests share a statement: entering a tenant and starting to read four tables
 * is half the cost of a page.
 */
export type FindPage = (page: WantedPage) => Promise<FoundUsers>;

export function createFindPage(gate: Gate): FindPage {
  return batched((pages: readonly WantedPage[]) => listUserPages(gate, pages), {
    size: 16,
    flights: 2,
  });
}

/** How many users a tenant has, counted no further than COUNT_UP_TO. */
export async function countAll(findPage: FindPage, tenantId: TenantId): Promise<number> {
  const { counted } = await findPage({
    tenantId,
    field: 'created_at',
    descending: false,
    start: { value: 'infinity', id: '', skip: 0 },
    rows: 0,
    countUpTo: COUNT_UP_TO,
  });
  return counted;
}
