import type { EventRecord, EventType } from '@keywright/contract/events';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { expectStatus } from './http.ts';
import type { TestTenant } from './tenant.ts';
import { until } from './until.ts';

interface Page {
  readonly items: EventRecord[];
  readonly meta: { readonly limit: number; readonly has_more: boolean };
}

/** Every readable event of the tenant after `after`, read in small pages. */
export async function eventsOf(
  tenant: TestTenant,
  after?: string,
  filter: Readonly<Record<string, string>> = {},
): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  let last = after;
  for (;;) {
    const query = new URLSearchParams({ limit: '7', ...filter, ...(last && { after: last }) });
    const token = await tenant.adminToken();
    const answer = await tenant.request<Page>('GET', `/events?${query.toString()}`, { token });
    const { items, meta } = expectStatus(200, answer);
    events.push(...items);
    last = items.at(-1)?.id ?? last;
    if (!meta.has_more) return events;
  }
}

/**
 * The events caused by `work`, oldest first. Events become readable after all older transactions on the server,
 * including those of other tests, so this waits for a marking event that follows them.
 */
export async function eventsFrom(
  tenant: TestTenant,
  work: () => Promise<unknown>,
): Promise<EventRecord[]> {
  const [start] = (await mark(tenant)).slice(-1);
  await work();
  const events = await mark(tenant, start?.id);
  return events.slice(0, -1);
}

/** Waits until all past events of the tenant are readable, and returns them. */
export function settledEvents(tenant: TestTenant): Promise<EventRecord[]> {
  return mark(tenant);
}

let marks = 0;

/** Every event after `after`, up to a marking event that is created here. */
async function mark(tenant: TestTenant, after?: string): Promise<EventRecord[]> {
  marks += 1;
  const token = await tenant.adminToken();
  const body = { name: `Mark ${marks}`, slug: `mark-${marks}` };
  const { id } = expectStatus(201, await tenant.request('POST', '/workspaces', { token, body }));
  return until('the marking event can be read', async () => {
    const events = await eventsOf(tenant, after);
    // Reading can log the administrator in again, which adds events after the mark.
    const marked = events.findIndex(({ data }) => data['workspace_id'] === id);
    return marked >= 0 && events.slice(0, marked + 1);
  });
}

/** The number of events of each type. */
export function tally(events: readonly EventRecord[]): Partial<Record<EventType, number>> {
  const counts: Partial<Record<EventType, number>> = {};
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

interface AuditPage {
  readonly items: AuditEntry[];
  readonly meta: { readonly total: number; readonly next_cursor?: string };
}

/** The currently readable entries of the tenant's audit log, newest first. */
export async function entriesOf(
  tenant: TestTenant,
  filter: Readonly<Record<string, string>> = {},
): Promise<AuditEntry[]> {
  const query = new URLSearchParams({ limit: '100', ...filter });
  const token = await tenant.adminToken();
  const answer = await tenant.request<AuditPage>('GET', `/audit?${query.toString()}`, { token });
  return expectStatus(200, answer).items;
}
