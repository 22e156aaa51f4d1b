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
  findFew,
  findIds,
  findUsers,
  findUsersAfter,
  foldedName,
  nameKey,
  presentUser,
  type SearchTerm,
  type SortField,
  type UserFilter,
  type UserRow,
  walkUsers,
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
/** A list that no index narrows down reads this many users for a page, about 60 ms. */
const MOST_PASSED = 5000;
/** If none of them matches, up to this many matches are sorted. */
const MOST_SORTED = 50_000;
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
    const found = await this.#find(this.#gate.into(id), page, filterOf(query, fail));
    return listed(page, found.rows, found.counted, sortValue, presentUser, found);
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
    if (!(await this.#samples.isLarge(tenant))) {
      return tenant.transaction((tx) => findFiltered(tx, page, filter));
    }
    const sampled = this.#samples.find(tenant, 'identifier');
    if (!sampled) this.#samples.refresh(tenant, 'identifier');
    return findAmongMany(tenant, sampled, page, filter);
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

/** A part to find in names and identifiers, or only in email addresses; and the ID of a user. */
type Term = Pick<SearchTerm, 'part' | 'id'> & { readonly name?: string };

/** Each part in the filter that an index finds, with the other conditions. */
function termsOf(filter: UserFilter): { readonly term: Term; readonly others: UserFilter }[] {
  if (filter.ids !== undefined) return [];
  const { search, ...withoutSearch } = filter;
  const { email, ...withoutEmail } = filter;
  return [
    ...(search === undefined ? [] : [{ term: search, others: withoutSearch }]),
    ...(email === undefined ? [] : [{ term: { part: email }, others: withoutEmail }]),
  ];
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

/**
 * Finds a page by an index if few users match, and otherwise reads users in the order of the page, and returns those who
 * match. If none of the first MOST_PASSED does, more users are found by the index.
 */
async function findAmongMany(
  tenant: TenantData,
  sampled: UserSample | undefined,
  page: Page,
  filter: UserFilter,
): Promise<FoundUsers> {
  const few = await findByIndex(tenant, sampled, page, filter, COUNT_UP_TO);
  if (few) return few;
  const walked = await tenant.transaction(async (tx) => {
    const walk = await walkUsers(tx, page, filter, MOST_PASSED);
    const counted = Math.max(walk.rows.length, await estimate(tx, sampled, filter));
    return { ...walk, counted, isEstimate: true };
  });
  if (walked.rows.length > 0 || !walked.stoppedAt) return walked;
  return (await findByIndex(tenant, sampled, page, filter, MOST_SORTED)) ?? walked;
}

/** A page of users whom an index finds by one of the conditions; undefined if `most` or more match each of them. */
async function findByIndex(
  tenant: TenantData,
  sampled: UserSample | undefined,
  page: Page,
  filter: UserFilter,
  most: number,
): Promise<FoundUsers | undefined> {
  for (const { term, others } of termsOf(filter)) {
    const { likely, search } = lookUpOf(sampled, term);
    if (likely > SURELY_MORE * most) continue;
    if (term.id === undefined && Object.keys(others).length === 0) {
      return searchUsers(tenant, page, plainStart(page), search, most);
    }
    const ids = await findIdsByPart(tenant, search, most);
    if (ids) {
      const all = term.id === undefined ? ids : [...ids, term.id];
      return tenant.transaction((tx) => findAmong(tx, page, others, all));
    }
  }
  return tenant.transaction(async (tx) => {
    const ids = filter.ids ?? (await findFew(tx, filter, most));
    return ids && findAmong(tx, page, filter, ids);
  });
}

/** Estimates how many users match, by a sample. */
async function estimate(tx: TenantTx, sampled: UserSample | undefined, filter: UserFilter) {
  if (!sampled || sampled.users.length < SAMPLE_ENOUGH) return COUNT_UP_TO;
  const found = await countUsers(tx, { ...filter, ids: sampled.users });
  return Math.round((found / sampled.users.length) * sampled.total);
}

/** A page of those of these users who match. Each user's conditions are evaluated once, for the count and the page. */
async function findAmong(tx: TenantTx, page: Page, filter: UserFilter, ids: readonly UserId[]) {
  const found = await findIds(tx, { ...filter, ids });
  return { rows: await findUsers(tx, page, { ids: found }), counted: found.length };
}

async function findFiltered(tx: TenantTx, page: Page, filter: UserFilter) {
  const rows = await findUsers(tx, page, filter);
  return { rows, counted: await countUsers(tx, filter) };
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
