import type { UserId, WorkspaceId } from '@keywright/contract/ids';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { type Page, countUpToLimit, pageOf } from '../../../platform/db/page.ts';
import { from, type TenantTx } from '../../../tenancy/gate.ts';

/** The parts that a search looks for. */
export interface SearchTerm {
  /** A part of an identifier, in lowercase. */
  readonly part: string;
  /** A part of a name, as in `name_key`. */
  readonly name: string;
  /** The ID of a user. */
  readonly id?: UserId | undefined;
}

export interface UserFilter {
  readonly ids?: readonly UserId[];
  readonly role?: string;
  readonly workspace_id?: WorkspaceId;
  /** A part of an email address, in lowercase. */
  readonly email?: string;
  readonly search?: SearchTerm;
  readonly is_active?: boolean;
  /** Whether the user has a verified identifier; false selects users without one. */
  readonly is_verified?: boolean;
  readonly has_logged_in?: boolean;
  readonly last_login_before?: Date;
}

/** How a condition is evaluated: by any plan, or user by user. Without the second, a plan could read all users first. */
const ANY_PLAN = sql``;
const USER_BY_USER = sql`OFFSET 0`;

function identifiersThatAre(verified: boolean, plan: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT FROM user_identifiers i
     WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND ${verified ? sql`` : sql`NOT`} i.verified ${plan}`;
}

/** The conditions of a filter, for a user `u`. */
function conditionsOf(filter: UserFilter, plan = ANY_PLAN): RawBuilder<boolean>[] {
  const { ids, role, workspace_id: workspace, email, search } = filter;
  const conditions: RawBuilder<boolean>[] = [];
  const add = (condition: RawBuilder<boolean>) => conditions.push(condition);
  if (ids !== undefined) add(sql`u.id = ANY (${[...ids]})`);
  if (role !== undefined) {
    add(sql`EXISTS (
      SELECT FROM user_roles r
       WHERE r.tenant_id = u.tenant_id AND r.user_id = u.id AND r.role = ${role} ${plan})`);
  }
  if (workspace !== undefined) {
    add(sql`EXISTS (
      SELECT FROM workspace_members m
       WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id AND m.workspace_id = ${workspace} ${plan})`);
  }
  if (email !== undefined) {
    // strpos treats % and _ as ordinary characters.
    add(sql`EXISTS (
      SELECT FROM user_identifiers i
       WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.type = 'email'
         AND strpos(i.identifier, ${email}) > 0 ${plan})`);
  }
  if (search !== undefined) {
    const { part, name, id = null } = search;
    add(sql`(u.id = ${id} OR strpos(u.name_key, ${name}) > 0 OR EXISTS (
      SELECT FROM user_identifiers i
       WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND strpos(i.identifier, ${part}) > 0 ${plan}))`);
  }
  if (filter.is_active !== undefined) add(sql`u.is_active = ${filter.is_active}`);
  if (filter.is_verified !== undefined) {
    // This condition comes first, because an index finds users with an unverified identifier.
    if (!filter.is_verified) add(sql`EXISTS (${identifiersThatAre(false, plan)})`);
    const isVerified = sql<boolean>`EXISTS (${identifiersThatAre(true, plan)})`;
    add(filter.is_verified ? isVerified : sql`NOT ${isVerified}`);
  }
  for (const condition of loginConditionsOf(filter, 'l')) {
    add(sql`EXISTS (
      SELECT FROM user_logins l
       WHERE l.tenant_id = u.tenant_id AND l.user_id = u.id AND ${condition} ${plan})`);
  }
  return conditions;
}

/** The conditions of a filter on the last login of a user, which each user has, under this alias. */
function loginConditionsOf(filter: UserFilter, alias: 'l' | 'o'): RawBuilder<boolean>[] {
  const { has_logged_in: hasLoggedIn, last_login_before: before } = filter;
  const at = sql.ref(`${alias}.last_login_at`);
  return [
    ...(hasLoggedIn === false ? [sql<boolean>`${at} = '-infinity'`] : []),
    ...(hasLoggedIn === true || before !== undefined ? [sql<boolean>`${at} > '-infinity'`] : []),
    ...(before === undefined ? [] : [sql<boolean>`${at} < ${before}`]),
  ];
}

type Users = ReturnType<typeof from<'users as u'>>;

/** The users of the tenant who match all conditions of the filter. */
function filtered(tx: TenantTx, filter: UserFilter) {
  return where(from(tx, 'users as u'), conditionsOf(filter));
}

function where(users: Users, conditions: readonly RawBuilder<boolean>[]): Users {
  return conditions.reduce((query, condition) => query.where(condition), users);
}

const identifiers = sql<{ type: 'email' | 'phone'; identifier: string; verified: boolean }[]>`(
  SELECT coalesce(jsonb_agg(jsonb_build_object(
           'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position), '[]')
    FROM user_identifiers i WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id)`;
const roles = sql<string[]>`ARRAY(
  SELECT r.role FROM user_roles r WHERE r.tenant_id = u.tenant_id AND r.user_id = u.id ORDER BY r.role)`;
const workspaces = sql<WorkspaceId[]>`ARRAY(
  SELECT m.workspace_id FROM workspace_members m
   WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id ORDER BY m.position)`;

const lastLogin = sql<Date | null>`(
  SELECT nullif(l.last_login_at, '-infinity') FROM user_logins l
   WHERE l.tenant_id = u.tenant_id AND l.user_id = u.id)`;

function withParts(query: ReturnType<typeof filtered>) {
  return query
    .select(['u.id', 'u.tenant_id', 'u.name', 'u.picture', 'u.is_active'])
    .select(['u.metadata', 'u.user_metadata', 'u.created_at', lastLogin.as('last_login_at')])
    .select([identifiers.as('identifiers'), roles.as('roles'), workspaces.as('workspaces')]);
}

export function findUser(tx: TenantTx, id: UserId) {
  return withParts(filtered(tx, {})).where('u.id', '=', id).executeTakeFirst();
}

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>;

const SORTED_BY = {
  created_at: sql.ref<string>('u.created_at'),
  identifier: sql<string>`(
    SELECT f.identifier FROM user_identifiers f
     WHERE f.tenant_id = u.tenant_id AND f.user_id = u.id AND f.position = 0)`,
  name: sql.ref<string>('u.name_key'),
  last_login_at: sql<Date>`(
    SELECT l.last_login_at FROM user_logins l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.id)`,
} as const;

/** The sort fields of a list of users. */
export type SortField = keyof typeof SORTED_BY;

/** A page, plus one more row if there are further rows. */
export function findUsers(tx: TenantTx, page: Page, filter: UserFilter): Promise<UserRow[]> {
  const columns: Readonly<Record<string, RawBuilder<unknown>>> = SORTED_BY;
  const users = withParts(filtered(tx, filter));
  // An index has these orders, so it is read until the page is full.
  if (filter.ids === undefined && page.field === 'last_login_at') {
    const query = users.innerJoin('user_logins as o', (join) =>
      join.onRef('o.tenant_id', '=', 'u.tenant_id').onRef('o.user_id', '=', 'u.id'),
    );
    const order = { by: sql.ref('o.last_login_at'), id: sql.ref('o.user_id') };
    return pageOf(query, page, order).execute();
  }
  if (filter.ids === undefined && page.field === 'identifier') {
    const query = users.innerJoin('user_identifiers as o', (join) =>
      join
        .onRef('o.tenant_id', '=', 'u.tenant_id')
        .onRef('o.user_id', '=', 'u.id')
        .on('o.position', '=', sql.lit(0)),
    );
    const order = { by: sql.ref('o.identifier'), id: sql.ref('o.user_id') };
    return pageOf(query, page, order).execute();
  }
  const found = columns[page.field] ?? SORTED_BY.created_at;
  // Sorting the users is faster than looking for them in an index of this order.
  const by = filter.ids && page.field === 'name' ? sql<string>`${found} || ''` : found;
  return pageOf(users, page, { by, id: sql.ref('u.id') }).execute();
}

/** A page of users in an order that an index has. */
function inOrder(
  tx: TenantTx,
  page: Page,
  conditions: readonly RawBuilder<boolean>[],
): Expression<unknown> {
  const users = where(from(tx, 'users as u'), conditions).select([
    'u.tenant_id',
    'u.id',
    'u.name_key',
    'u.is_active',
  ]);
  if (page.field === 'last_login_at') {
    const query = users.innerJoin('user_logins as o', (join) =>
      join.onRef('o.tenant_id', '=', 'u.tenant_id').onRef('o.user_id', '=', 'u.id'),
    );
    return pageOf(query, page, { by: sql.ref('o.last_login_at'), id: sql.ref('o.user_id') });
  }
  if (page.field === 'identifier') {
    const query = users.innerJoin('user_identifiers as o', (join) =>
      join
        .onRef('o.tenant_id', '=', 'u.tenant_id')
        .onRef('o.user_id', '=', 'u.id')
        .on('o.position', '=', sql.lit(0)),
    );
    return pageOf(query, page, { by: sql.ref('o.identifier'), id: sql.ref('o.user_id') });
  }
  const by = page.field === 'name' ? SORTED_BY.name : SORTED_BY.created_at;
  return pageOf(users, page, { by, id: sql.ref('u.id') });
}

/** A page that was found by reading users in order. */
export interface Walk {
  readonly rows: UserRow[];
  /** The last user that was read, if the page is not full and there are further users. */
  readonly stoppedAt: UserRow | undefined;
}

/** Like `findUsers`, but reads at most `most` users in the order of the page, whether they match or not. */
export async function walkUsers(
  tx: TenantTx,
  page: Page,
  filter: UserFilter,
  most: number,
): Promise<Walk> {
  const { field, limit, offset } = page;
  const { has_logged_in: _hasLoggedIn, last_login_before: _before, ...others } = filter;
  // An index has these users in this order, so that no others are read.
  const isByLogin = field === 'last_login_at';
  const isOfInactive = field === 'created_at' && filter.is_active === false;
  const within = isByLogin
    ? loginConditionsOf(filter, 'o')
    : conditionsOf(isOfInactive ? { is_active: false } : {});
  // A subquery with a limit keeps its order, and ORDER BY could sort all that it reads.
  const conditions = [
    sql<boolean>`true`,
    ...conditionsOf(isByLogin ? others : filter, USER_BY_USER),
  ];
  const { rows: found } = await sql<{ id: UserId }>`
    SELECT u.id FROM (${inOrder(tx, { ...page, limit: most - 1, offset: 0 }, within)}) AS u
     WHERE ${sql.join(conditions, sql` AND `)}
     LIMIT ${limit + 1} OFFSET ${offset}`.execute(tx.db);
  const last = inOrder(tx, { ...page, limit: 0, offset: most - 1 }, within);
  const { rows: passed } =
    found.length > limit
      ? { rows: [] }
      : await sql<{ id: UserId }>`SELECT u.id FROM (${last}) AS u`.execute(tx.db);
  const [stop] = passed;
  const ids = found.map(({ id }) => id);
  const all = await withParts(filtered(tx, { ids: stop ? [...ids, stop.id] : ids })).execute();
  const byId = new Map(all.map((row) => [row.id, row]));
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    stoppedAt: stop && byId.get(stop.id),
  };
}

/** The IDs of all users who match. */
export async function findIds(tx: TenantTx, filter: UserFilter): Promise<readonly UserId[]> {
  const rows = await filtered(tx, filter).select('u.id').execute();
  return rows.map(({ id }) => id);
}

/**
 * The IDs of users among whom all are that match the filter, found by an index on one of its conditions; undefined if
 * each finds `most` or more.
 */
export async function findFew(
  tx: TenantTx,
  filter: UserFilter,
  most: number,
): Promise<readonly UserId[] | undefined> {
  for (const query of narrowestIn(tx, filter)) {
    const { rows } = await sql<{ id: UserId }>`${query} LIMIT ${most}`.execute(tx.db);
    if (rows.length < most) return rows.map(({ id }) => id);
  }
  return undefined;
}

function narrowestIn(tx: TenantTx, filter: UserFilter): Expression<unknown>[] {
  const { role, workspace_id: workspace, is_active: isActive, is_verified: isVerified } = filter;
  const ids = sql<UserId>`user_id`.as('id');
  const logins = loginConditionsOf(filter, 'l');
  return [
    ...(role === undefined ? [] : [from(tx, 'user_roles').where('role', '=', role).select(ids)]),
    ...(workspace === undefined
      ? []
      : [from(tx, 'workspace_members').where('workspace_id', '=', workspace).select(ids)]),
    ...(isActive === false ? [from(tx, 'users').where('is_active', '=', false).select('id')] : []),
    ...(isVerified === false
      ? [from(tx, 'user_identifiers').where('verified', '=', false).select(ids)]
      : []),
    ...(logins.length === 0
      ? []
      : [
          logins
            .reduce((query, condition) => query.where(condition), from(tx, 'user_logins as l'))
            .select(ids),
        ]),
  ];
}

export function countUsers(tx: TenantTx, filter: UserFilter): Promise<number> {
  return countUpToLimit(tx, filtered(tx, filter).select('u.id'));
}

/** The next users by ID, and so by age. */
export function findUsersAfter(
  tx: TenantTx,
  filter: UserFilter,
  after: string,
  limit: number,
): Promise<UserRow[]> {
  return withParts(filtered(tx, filter))
    .where(sql<boolean>`u.id > ${after}`)
    .orderBy('u.id')
    .limit(limit)
    .execute();
}

/** Counts exactly, without the limit of `countUsers`. */
export async function countAllUsers(tx: TenantTx, filter: UserFilter): Promise<number> {
  const { n } = await filtered(tx, filter)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}
