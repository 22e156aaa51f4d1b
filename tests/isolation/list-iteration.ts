import assert from 'node:assert/strict';
import { pathTo, type Route } from '@keywright/contract/route';
import type { JsonBody } from '../harness/http.ts';
import { sendExample, assertRefused } from './route-requests.ts';
import { NARROWED, WHOLE_LISTS } from './examples.ts';
import type { World } from './world.ts';

/** Every item of a list of the own tenant, read in pages of one. */
export async function iterateList(world: World, route: Route, token: string): Promise<JsonBody[]> {
  const items: JsonBody[] = [];
  let total = 1;
  for (let query: Record<string, unknown> = {}, page = 2; items.length < total; page += 1) {
    const parameters = { limit: 1, ...NARROWED[route.id], ...query };
    const { body, text } = await sendExample(world, route, { token, query: parameters });
    const meta = body['meta'] as { total: number; next_cursor?: string } | undefined;
    assert.ok(meta, text);
    const found = body['items'] as JsonBody[];
    assert.equal(found.length, 1, text);
    items.push(...found);
    total = meta.total;
    const isWhole = WHOLE_LISTS.includes(route.id);
    assert.equal(meta.next_cursor !== undefined, !isWhole && items.length < total);
    query = isWhole ? { page } : { cursor: meta.next_cursor };
  }
  return items;
}

/** The same for a log that is iterated by the last id. */
export async function iterateLog(world: World, route: Route, token: string): Promise<JsonBody[]> {
  const items: JsonBody[] = [];
  let hasMore = true;
  for (let query: Record<string, unknown> = {}; hasMore;) {
    const parameters = { limit: 1, ...NARROWED[route.id], ...query };
    const { body, text } = await sendExample(world, route, { token, query: parameters });
    const found = body['items'] as JsonBody[];
    assert.equal(found.length, 1, text);
    items.push(...found);
    hasMore = (body['meta'] as { has_more: boolean }).has_more;
    query = { after: found[0]?.['id'] };
  }
  return items;
}

/** Asserts that only a system administrator can read this list of the foreign tenant, and that the read is recorded. */
export async function assertListOfAnyTenant(world: World, route: Route): Promise<void> {
  const { foreign, system, local, homeAdminToken } = world;
  const { id } = foreign.tenant;
  const options = { token: await foreign.tenant.adminToken() };
  const path = pathTo(route, {});
  const theirs = await foreign.tenant.request('GET', path, options);
  const past = await workIn(world, id);
  const read = await sendExample(world, route, { ...system, query: { tenant_id: id } });
  assert.equal(read.status, 200, read.text);
  assert.ok((read.body['items'] as JsonBody[]).length > 0, route.id);
  assert.deepEqual(read.body['items'], theirs.body['items']);
  assert.equal(await workIn(world, id), past + 1, `${route.id} is recorded once`);
  const unknown = await sendExample(world, route, {
    ...system,
    query: { tenant_id: 'org_nobody' },
  });
  assertRefused(unknown, 'NOT_FOUND');
  const refused = [
    { token: await world.freshAdminToken(), tenant: local.tenant.id },
    { token: homeAdminToken, tenant: system.tenant },
  ];
  for (const caller of refused) {
    for (const named of [id, 'org_nobody']) {
      const answer = await sendExample(world, route, { ...caller, query: { tenant_id: named } });
      assertRefused(answer, 'SYSTEM_ADMINISTRATOR_REQUIRED', named);
    }
    const at = await sendExample(world, route, { ...caller, query: { tenant_id: caller.tenant } });
    assert.equal(at.status, 200, at.text);
  }
}

/** Number of entries about work on a tenant in the audit log of the default tenant. */
async function workIn({ keywright }: World, id: string): Promise<number> {
  const [row] = await keywright.database.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM audit_entries
      WHERE tenant_id = 'org_default' AND action = 'system.work' AND target_id = $1`,
    [id],
  );
  return row?.n ?? 0;
}

/** Asserts that a cursor is accepted only by its own list, with the same query except for the limit. */
export async function assertCursorIsBound(
  world: World,
  route: Route,
  lists: readonly Route[],
  token: string,
): Promise<void> {
  const first = await sendExample(world, route, { token, query: { limit: 1 } });
  const { next_cursor: cursor } = first.body['meta'] as { next_cursor?: string };
  assert.ok(cursor, `${route.id} has a second page`);
  const next = await sendExample(world, route, { token, query: { limit: 2, cursor } });
  assert.equal(next.status, 200, next.text);
  for (const other of lists.filter((list) => list !== route)) {
    const refused = await sendExample(world, other, { token, query: { cursor } });
    assertRefused(refused, 'VALIDATION_FAILED', `a cursor of ${route.id} at ${other.id}`);
  }
  for (const filter of filtersOf(route)) {
    const refused = await sendExample(world, route, { token, query: { cursor, ...filter } });
    assertRefused(refused, 'VALIDATION_FAILED', `${route.id} with ${JSON.stringify(filter)}`);
  }
}

/** Another order and other filters of a list, each by itself. */
function filtersOf(route: Route): Record<string, string>[] {
  const examples = { sort: 'created_at', email: 'a', status: 'pending', is_active: 'true' };
  const taken = Object.keys(route.query?.properties ?? {});
  return Object.entries(examples)
    .filter(([name]) => taken.includes(name))
    .map(([name, value]) => ({ [name]: value }));
}
