import assert from 'node:assert/strict';
import type { Route } from '@keywright/contract/route';
import type { AnyBody } from '../harness/http.ts';
import { ask, assertRefused } from './route-requests.ts';
import { NARROWED, WHOLE_LISTS } from './examples.ts';
import type { World } from './world.ts';

/** Every item of a list of the own tenant, read in pages of one. */
export async function iterateList(world: World, route: Route, token: string): Promise<AnyBody[]> {
  const items: AnyBody[] = [];
  let total = 1;
  for (let query: Record<string, unknown> = {}, page = 2; items.length < total; page += 1) {
    const asked = { limit: 1, ...NARROWED[route.id], ...query };
    const { body, text } = await ask(world, route, { token, query: asked });
    const meta = body['meta'] as { total: number; next_cursor?: string } | undefined;
    assert.ok(meta, text);
    const found = body['items'] as AnyBody[];
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
export async function iterateLog(world: World, route: Route, token: string): Promise<AnyBody[]> {
  const items: AnyBody[] = [];
  let hasMore = true;
  for (let query: Record<string, unknown> = {}; hasMore;) {
    const asked = { limit: 1, ...NARROWED[route.id], ...query };
    const { body, text } = await ask(world, route, { token, query: asked });
    const found = body['items'] as AnyBody[];
    assert.equal(found.length, 1, text);
    items.push(...found);
    hasMore = (body['meta'] as { has_more: boolean }).has_more;
    query = { after: found[0]?.['id'] };
  }
  return items;
}

/** Asserts that a cursor is accepted only by its own list, with the same query except for the limit. */
export async function assertCursorIsBound(
  world: World,
  route: Route,
  lists: readonly Route[],
  token: string,
): Promise<void> {
  const first = await ask(world, route, { token, query: { limit: 1 } });
  const { next_cursor: cursor } = first.body['meta'] as { next_cursor?: string };
  assert.ok(cursor, `${route.id} has a second page`);
  const next = await ask(world, route, { token, query: { limit: 2, cursor } });
  assert.equal(next.status, 200, next.text);
  for (const other of lists.filter((one) => one !== route)) {
    const refused = await ask(world, other, { token, query: { cursor } });
    assertRefused(refused, 'VALIDATION_FAILED', `a cursor of ${route.id} at ${other.id}`);
  }
  for (const filter of filtersOf(route)) {
    const refused = await ask(world, route, { token, query: { cursor, ...filter } });
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
