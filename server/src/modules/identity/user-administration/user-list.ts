import type { Fail } from '@keywright/contract/errors';
import { searchForm } from '@keywright/contract/identifiers';
import { DEFAULT_WORKSPACE, type UserId } from '@keywright/contract/ids';
import { EXACT_TOTAL } from '@keywright/contract/list';
import type { QueryOf } from '@keywright/contract/route';
import type { exportUsers, listUsers as listUsersRoute } from '@keywright/contract/routes/users';
import { COUNT_UP_TO, listed, type Page, readPage } from '../../../platform/db/page.ts';
import { readMoment } from '../../../platform/moment.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { record } from '../../events/journal/index.ts';
import {
  presentUser,
  countUsers,
  findUsers,
  type UserRow,
  type UserFilter,
  countAllUsers,
  findUsersAfter,
} from '../users/index.ts';
import { type FoundUsers, searchUsers, type SortField } from './user-administration-store.ts';
import { type UserSample, type UserSamples, plainStart, type FindPage } from './user-samples.ts';

type ListQuery = QueryOf<typeof listUsersRoute>;
type FilterQuery = QueryOf<typeof exportUsers>;

/** The trigram index has no shorter parts. */
const SHORTEST_INDEXED = 3;
/** Where a sample says so much more than EXACT_TOTAL, nobody has to count: it is wrong once in 30,000 times. */
const SURELY_MORE = 2;
const SAMPLE_ENOUGH = 200;

/** What lists of large tenants can be sorted by. */
interface Lists {
  readonly samples: UserSamples;
  readonly findPage: FindPage;
}

/** A page of a tenant's users. Past 10,000, pages by number begin where they began at most some seconds ago. */
export async function listUsersPage(
  tenant: TenantData,
  lists: Lists,
  query: ListQuery,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'users'], query, query.sort ?? '-created_at', fail);
  const filter = filterOf(query, fail);
  const { rows, counted } = await findUsersOf(tenant, lists, page, filter);
  return listed(page, rows, counted, sortValue, presentUser);
}

async function findUsersOf(
  tenant: TenantData,
  lists: Lists,
  page: Page,
  filter: UserFilter,
): Promise<FoundUsers> {
  const { email, ...others } = filter;
  if (Object.keys(others).length === 0) {
    if (email === undefined) return findAmongAll(tenant, lists, page);
    const { samples } = lists;
    if (page.field === 'created_at' && (await samples.isLarge(tenant))) {
      return findByPart(
        tenant,
        samples.find(tenant, 'identifier') ?? begin(samples, tenant),
        page,
        email,
      );
    }
  }
  return tenant.transaction((tx) => findFiltered(tx, page, filter));
}

/** Has the identifiers of a tenant sampled, without waiting for it. */
function begin(samples: UserSamples, tenant: TenantData): undefined {
  // The next caller that needs it reports a failure.
  samples.take(tenant, 'identifier').catch(() => {});
}

async function findAmongAll(
  tenant: TenantData,
  { samples, findPage }: Lists,
  page: Page,
): Promise<FoundUsers> {
  const field = page.field as SortField;
  const isFar = page.offset > EXACT_TOTAL;
  const sampled = isFar ? await samples.take(tenant, field) : samples.find(tenant, field);
  const start = isFar && sampled ? sampled.startOf(page) : plainStart(page);
  const found = await findPage({
    tenantId: tenant.tenantId,
    field,
    descending: page.descending,
    start,
    rows: page.limit + 1,
    countUpTo: sampled ? 0 : COUNT_UP_TO,
  });
  if (sampled) return { ...found, counted: sampled.total };
  // The next one gets the estimate, and is spared the count.
  if (found.counted >= COUNT_UP_TO) samples.take(tenant, field).catch(() => {});
  return found;
}

function findByPart(
  tenant: TenantData,
  sampled: UserSample | undefined,
  page: Page,
  part: string,
): Promise<FoundUsers> {
  const isSampled = sampled !== undefined && sampled.sample.size >= SAMPLE_ENOUGH;
  const likely = isSampled ? sampled.sample.shareWith(part) * sampled.total : 0;
  if (likely > SURELY_MORE * EXACT_TOTAL) return walk(tenant, page, part, Math.round(likely));
  if (part.length < SHORTEST_INDEXED) {
    return tenant.transaction((tx) => findFiltered(tx, page, { email: part }));
  }
  const [rare, also] = isSampled ? sampled.sample.piecesOf(part) : [part];
  const users = sampled?.total ?? COUNT_UP_TO;
  return searchUsers(tenant, page, { part, rare, also, users });
}

/** With this many matches, a walk fills a page quickly, and the total is not counted. */
async function walk(tenant: TenantData, page: Page, part: string, counted: number) {
  const search = { part, rare: undefined, also: undefined, users: 0 };
  return { ...(await searchUsers(tenant, page, search)), counted };
}

async function findFiltered(tx: TenantTx, page: Page, filter: UserFilter): Promise<FoundUsers> {
  const rows = await findUsers(tx, page, filter);
  return { rows, counted: await countUsers(tx, filter) };
}

export function filterOf(query: FilterQuery, fail: Fail<'VALIDATION_FAILED'>): UserFilter {
  const { ids, role, workspace_id, email, last_login_before: before } = query;
  return {
    ...(ids === undefined ? {} : { ids: ids.split(',') as UserId[] }),
    ...yesOrNo(query, 'is_active'),
    ...yesOrNo(query, 'is_verified'),
    ...yesOrNo(query, 'has_logged_in'),
    ...(before === undefined
      ? {}
      : { last_login_before: readMoment(before, '/last_login_before', fail) }),
    ...(role === undefined ? {} : { role }),
    // Everybody is in the default workspace.
    ...(workspace_id === undefined || workspace_id === DEFAULT_WORKSPACE ? {} : { workspace_id }),
    ...(email === undefined ? {} : { email: searchForm(email) }),
  };
}

function yesOrNo<Name extends 'is_active' | 'is_verified' | 'has_logged_in'>(
  query: FilterQuery,
  name: Name,
): { readonly [key in Name]?: boolean } {
  return query[name] === undefined
    ? {}
    : ({ [name]: query[name] === 'true' } as { readonly [key in Name]: boolean });
}

function sortValue(row: UserRow, page: Page): string {
  if (page.field === 'created_at') return row.created_at.toISOString();
  return row.identifiers[0]?.identifier ?? '';
}

/** The number of users read into memory at a time: with 32 KiB of metadata each, at most 6 MB. */
const BATCH = 200;

/**
 * Users as JSON lines, the oldest first. Each batch has its own transaction, so a slow reader blocks nothing, and continues
 * after the last id. Nothing is sent before the export and the number of its users are in the audit log.
 */
export async function exportUserLines(
  tenant: TenantData,
  caller: Caller,
  filter: UserFilter,
): Promise<AsyncIterable<string>> {
  await tenant.transaction(async (tx) => {
    const users = await countAllUsers(tx, filter);
    const target = { kind: 'tenant', id: tx.tenantId } as const;
    const details = { users, filters: Object.keys(filter) };
    await record(tx, caller, { action: 'users.exported', target, details });
  });
  return linesOf(tenant, filter);
}

async function* linesOf(tenant: TenantData, filter: UserFilter): AsyncGenerator<string> {
  for (let last = ''; ;) {
    const after = last;
    const rows = await tenant.transaction((tx) => findUsersAfter(tx, filter, after, BATCH));
    yield rows.map((row) => `${JSON.stringify(presentUser(row))}\n`).join('');
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) return;
  }
}
