import type { EventRecord, EventType } from '@keywright/contract/events';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { expectStatus } from './http.ts';
import type { TestTenant } from './tenant.ts';
import { until } from './until.ts';

interface Page {
  readonly items: EventRecord[];
  readonly meta: { readonly limit: number; readonly has_more: boolean };
}

/** Every event of the tenant that can be read, walked in small steps, from behind one of them. */
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
 * The events of some work, oldest first. Events become readable after all older transactions of the server, including
 * other tests': waits until an event of its own follows them.
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

/** Waits until everything that has happened in the tenant can be read, and returns it. */
export function settledEvents(tenant: TestTenant): Promise<EventRecord[]> {
  return mark(tenant);
}

let marks = 0;

/** Every event behind one of them, up to one that is made here. */
async function mark(tenant: TestTenant, after?: string): Promise<EventRecord[]> {
  marks += 1;
  const token = await tenant.adminToken();
  const body = { name: `Mark ${marks}`, slug: `mark-${marks}` };
  const { id } = expectStatus(201, await tenant.request('POST', '/workspaces', { token, body }));
  return until('the marking event can be read', async () => {
    const events = await eventsOf(tenant, after);
    // Reading may log the administrator in again, which adds events behind the mark.
    const marked = events.findIndex(({ data }) => data['workspace_id'] === id);
    return marked >= 0 && events.slice(0, marked + 1);
  });
}

/** How many events of each kind there are. */
export function tally(events: readonly EventRecord[]): Partial<Record<EventType, number>> {
  const counts: Partial<Record<EventType, number>> = {};
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

interface AuditPage {
  readonly items: AuditEntry[];
  readonly meta: { readonly total: number; readonly next_cursor?: string };
}

/** Entries of the tenant's audit log that can be read now, the newest first. */
export async function entriesOf(
  tenant: TestTenant,
  filter: Readonly<Record<string, string>> = {},
): Promise<AuditEntry[]> {
  const query = new URLSearchParams({ limit: '100', ...filter });
  const token = await tenant.adminToken();
  const answer = await tenant.request<AuditPage>('GET', `/audit?${query.toString()}`, { token });
  return expectStatus(200, answer).items;
}
