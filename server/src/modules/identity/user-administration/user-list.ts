import type { Fail } from '@keywright/contract/errors';
import { searchForm } from '@keywright/contract/identifiers';
import {
  DEFAULT_WORKSPACE,
  parseUserId,
  type TenantId,
  type UserId,
} from '@keywright/contract/ids';
import { EXACT_TOTAL } from '@keywright/contract/list';
import type { UserProtection } from '@keywright/contract/records/user-protection';
import type { QueryOf } from '@keywright/contract/route';
import type { exportUsers, listUsers } from '@keywright/contract/routes/users';
import type { Clock } from '../../../platform/clock.ts';
import { batched } from '../../../platform/db/calls.ts';
import { COUNT_UP_TO, listed, NEVER, type Page, readPage } from '../../../platform/db/page.ts';
import { readMoment } from '../../../platform/moment.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import {
  countAllUsers,
  countUsers,
  findUsers,
  findUsersAfter,
  foldedName,
  nameKey,
  presentUser,
  type SearchTerm,
  type SortField,
  type UserFilter,
  type UserRow,
} from '../users/index.ts';
import {
  countProtection,
  type FoundUsers,
  listUserPages,
  findIdsByPart,
  type Search,
  searchUsers,
  type UserPage,
} from './user-administration-store.ts';
import { lookedUpFor, patternOf } from './part-patterns.ts';
import { type UserSample, UserSamples, plainStart } from './user-samples.ts';

type ListQuery = QueryOf<typeof listUsers>;
type FilterQuery = QueryOf<typeof exportUsers>;

/** Users are not counted if a sample estimates this many times EXACT_TOTAL. That is wrong once in 30,000 times. */
const SURELY_MORE = 2;
const SAMPLE_ENOUGH = 200;
/** Texts that contain a part can all be at the end of their order, so more of them are sorted. */
const MOST_BY_TEXT = 50_000;
/** The number of users that an export holds in memory at a time: with 32 KiB of metadata each, at most 6 MB. */
const EXPORT_BATCH = 200;

/** Lists and exports users. */
export class UserList {
  readonly #gate: Gate;
  readonly #samples: UserSamples;
  readonly #findPage: (page: UserPage) => Promise<FoundUsers>;

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    // Entering a tenant and starting to read four tables is half the cost of a page, so pages are read in batches.
    this.#findPage = batched((pages: readonly UserPage[]) => listUserPages(gate, pages), {
      size: 16,
      flights: 2,
    });
    this.#samples = new UserSamples(clock, this.#findPage);
  }

  /** Lists a page of users. Beyond user 10,000, the start of a numbered page can be some seconds out of date. */
  async list({ id }: Tenant, query: ListQuery, fail: Fail<'VALIDATION_FAILED'>) {
    const page = readPage([id, 'users'], query, query.sort ?? '-created_at', fail);
    const { rows, counted } = await this.#find(this.#gate.into(id), page, filterOf(query, fail));
    return listed(page, rows, counted, sortValue, presentUser);
  }

  /**
   * Streams users as JSON lines, oldest first. Each batch has its own transaction, so a slow reader blocks nothing, and
   * continues after the last ID. The audit log contains the export and its number of users before the first line is
   * sent.
   */
  async export(
    { id }: Tenant,
    caller: Caller,
    query: FilterQuery,
    fail: Fail<'VALIDATION_FAILED'>,
  ): Promise<AsyncIterable<string>> {
    const filter = filterOf(query, fail);
    const data = this.#gate.into(id);
    await data.transaction(async (tx) => {
      const users = await countAllUsers(tx, filter);
      const target = { kind: 'tenant', id } as const;
      const details = { users, filters: Object.keys(filter) };
      await record(tx, caller, { action: 'users.exported', target, details });
    });
    return linesOf(data, filter);
  }

  /** Counts the newest active users by their second factor. */
  countProtected(tenantId: TenantId): Promise<UserProtection> {
    return this.#gate.into(tenantId).transaction((tx) => countProtection(tx, EXACT_TOTAL));
  }

  async #find(tenant: TenantData, page: Page, filter: UserFilter): Promise<FoundUsers> {
    if (Object.keys(filter).length === 0) return this.#findAmongAll(tenant, page);
    const { term, others } = splitTerm(filter);
    if (!term || !(await this.#samples.isLarge(tenant))) {
      return tenant.transaction((tx) => findFiltered(tx, page, filter));
    }
    const sampled = this.#samples.find(tenant, 'identifier');
    if (!sampled) this.#samples.refresh(tenant, 'identifier');
    const isAlone = Object.keys(others).length === 0;
    if (isAlone && page.field === 'created_at') return findByPart(tenant, sampled, page, term);
    const { likely, ids } = await findIdsByTerm(tenant, sampled, page, term);
    // Among users of whom many have the part, the list is read in its order.
    const narrowed = ids ? { ...others, ids } : filter;
    const counted = ids?.length ?? Math.max(Math.round(likely), COUNT_UP_TO);
    return tenant.transaction((tx) =>
      findFiltered(tx, page, narrowed, isAlone ? counted : undefined),
    );
  }

  async #findAmongAll(tenant: TenantData, page: Page): Promise<FoundUsers> {
    const samples = this.#samples;
    const field = page.field as SortField;
    const isFar = page.offset > EXACT_TOTAL;
    const sampled = isFar ? await samples.take(tenant, field) : samples.find(tenant, field);
    const start = isFar && sampled ? sampled.startOf(page) : plainStart(page);
    const found = await this.#findPage({
      tenantId: tenant.tenantId,
      field,
      descending: page.descending,
      start,
      rows: page.limit + 1,
      countUpTo: sampled ? 0 : COUNT_UP_TO,
    });
    if (sampled) return { ...found, counted: sampled.total };
    // The next request uses the estimate, and avoids the count.
    if (found.counted >= COUNT_UP_TO) samples.refresh(tenant, field);
    return found;
  }
}

/** A part to find in names and identifiers, or only in email addresses. */
type Term = Pick<SearchTerm, 'part'> & { readonly name?: string };

/** Separates the term that an index finds from the other conditions. Undefined unless the filter has exactly one term. */
function splitTerm(filter: UserFilter): { readonly term?: Term; readonly others: UserFilter } {
  const { email, search, ...others } = filter;
  if (others.ids !== undefined || search?.id !== undefined) return { others };
  if (email === undefined) return search === undefined ? { others } : { term: search, others };
  return search === undefined ? { term: { part: email }, others } : { others };
}

/** How a term is looked up. */
interface LookUp {
  /** The estimated number of users whose identifiers have the part. */
  readonly likely: number;
  readonly search: Search;
}

function lookUpOf(sampled: UserSample | undefined, { part, name }: Term): LookUp {
  const sample =
    sampled !== undefined && sampled.sample.size >= SAMPLE_ENOUGH ? sampled.sample : undefined;
  const likely = sample && sampled ? sample.shareWith(part) * sampled.total : 0;
  const piecesOf = (text: string) => sample?.piecesOf(text) ?? ([text] as const);
  const [rare, also] = piecesOf(part);
  const search = {
    part,
    rare: lookedUpFor(rare),
    also: also === undefined ? undefined : patternOf(also),
    name: name === undefined ? undefined : { part: name, rare: lookedUpFor(piecesOf(name)[0]) },
    users: sampled?.total ?? COUNT_UP_TO,
  };
  return { likely, search };
}

function findByPart(
  tenant: TenantData,
  sampled: UserSample | undefined,
  page: Page,
  term: Term,
): Promise<FoundUsers> {
  const { likely, search } = lookUpOf(sampled, term);
  return likely > SURELY_MORE * EXACT_TOTAL
    ? walk(tenant, page, search, Math.round(likely))
    : searchUsers(tenant, page, search);
}

/** The IDs of the users with a part; undefined if there are too many. */
async function findIdsByTerm(
  tenant: TenantData,
  sampled: UserSample | undefined,
  { field }: Page,
  term: Term,
) {
  const { likely, search } = lookUpOf(sampled, term);
  const isByText = field === 'name' || field === 'identifier';
  const most = isByText && likely > EXACT_TOTAL ? MOST_BY_TEXT : COUNT_UP_TO;
  const isFrequent = likely > SURELY_MORE * most;
  return { likely, ids: isFrequent ? undefined : await findIdsByPart(tenant, search, most) };
}

/** With this many matches, scanning the users fills a page quickly, and the total is not counted. */
async function walk(tenant: TenantData, page: Page, search: Search, counted: number) {
  const scan = { ...search, rare: undefined, also: undefined, users: 0 };
  return { ...(await searchUsers(tenant, page, scan)), counted };
}

/** @param counted the number of users, if it is known */
async function findFiltered(tx: TenantTx, page: Page, filter: UserFilter, counted?: number) {
  const rows = await findUsers(tx, page, filter);
  return { rows, counted: counted ?? (await countUsers(tx, filter)) };
}

async function* linesOf(tenant: TenantData, filter: UserFilter): AsyncGenerator<string> {
  for (let last = ''; ;) {
    const after = last;
    const rows = await tenant.transaction((tx) => findUsersAfter(tx, filter, after, EXPORT_BATCH));
    yield rows.map((row) => `${JSON.stringify(presentUser(row))}\n`).join('');
    last = rows.at(-1)?.id ?? last;
    if (rows.length < EXPORT_BATCH) return;
  }
}

function filterOf(query: FilterQuery, fail: Fail<'VALIDATION_FAILED'>): UserFilter {
  const { ids, role, workspace_id, search, email, last_login_before: before } = query;
  return {
    ...(ids === undefined ? {} : { ids: ids.split(',') as UserId[] }),
    ...yesOrNo(query, 'is_active'),
    ...yesOrNo(query, 'is_verified'),
    ...yesOrNo(query, 'has_logged_in'),
    ...(before === undefined
      ? {}
      : { last_login_before: readMoment(before, '/last_login_before', fail) }),
    ...(role === undefined ? {} : { role }),
    // All users are in the default workspace, so no filter is needed.
    ...(workspace_id === undefined || workspace_id === DEFAULT_WORKSPACE ? {} : { workspace_id }),
    ...(email === undefined ? {} : { email: searchForm(email) }),
    ...(search === undefined ? {} : { search: termOf(search) }),
  };
}

/** A phone number as people write it, with at least one digit. */
const WRITTEN_NUMBER = /^(?=.*\d)\+?[\d\s().-]{3,}$/;

function termOf(text: string): SearchTerm {
  const part = WRITTEN_NUMBER.test(text) ? text.replaceAll(/[\s().-]/g, '') : searchForm(text);
  // Every name contains the empty text that remains of accents alone.
  return { part, name: foldedName(text) || text, id: parseUserId(text) };
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
  const values: Readonly<Record<SortField, string>> = {
    created_at: row.created_at.toISOString(),
    identifier: row.identifiers[0]?.identifier ?? '',
    name: nameKey(row.name),
    last_login_at: row.last_login_at?.toISOString() ?? NEVER,
  };
  return values[page.field as SortField];
}
