import type { TenantId, UserId } from '@keywright/contract/ids';
import type { UserProtection } from '@keywright/contract/records/user-protection';
import { sql } from 'kysely';
import { importUsers } from '../../../../sql/identity/kw_import_users.ts';
import { listUsers } from '../../../../sql/identity/kw_list_users.ts';
import { searchUsers as search } from '../../../../sql/identity/kw_search_users.ts';
import { userCheckpoints } from '../../../../sql/identity/kw_user_checkpoints.ts';
import { callAs, type RowOf } from '../../../platform/db/calls.ts';
import type { Page } from '../../../platform/db/page.ts';
import type { Gate, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { nameKey, type SortField, timesOf, type UserRow } from '../users/index.ts';
import type { CheckedUser } from './import-rules.ts';

/** Where a page starts: `skip` users after this value and ID, in the direction of the list. */
export interface Start {
  readonly value: string;
  readonly id: string;
  readonly skip: number;
}

/** A page of all users of a tenant. */
export interface UserPage {
  readonly tenantId: TenantId;
  readonly field: SortField;
  readonly descending: boolean;
  readonly start: Start;
  /** The maximum number of users; 0 if only the count is needed. */
  readonly rows: number;
  /** The maximum count; 0 if users are not counted. */
  readonly countUpTo: number;
}

export interface FoundUsers {
  /** The rows of the page, plus one more if there is a next page. */
  readonly rows: UserRow[];
  readonly counted: number;
  /** Whether `counted` is an estimate although it is small. */
  readonly isEstimate?: boolean;
  /** The last user that was read, if the page is not full and there are further users. */
  readonly stoppedAt?: UserRow | undefined;
}

/** One array for each column; null if there are no rows. */
type Columns<Row extends readonly unknown[]> = {
  readonly [Index in keyof Row]: readonly Row[Index][] | null;
};

/** The pages of a tenant: the IDs of all pages in sequence, and the size of each page. */
type TenantPages = RowOf<typeof listUsers>['answer'];
/** The data of users: the columns of each table, unordered. */
type Records = TenantPages['records'];

/** Sorts after every ID. */
const LAST_ID = '\u{10FFFF}';

/** Reads pages of any tenants, in order and in one round trip. Users on several pages of a tenant are read once. */
export async function listUserPages(
  gate: Gate,
  pages: readonly UserPage[],
): Promise<readonly FoundUsers[]> {
  const groups = [...Map.groupBy(pages, (page) => page.tenantId)];
  const inOrder = groups.flatMap(([, group]) => group);
  const rows = await gate.callMany(listUsers, {
    tenants: inOrder.map((page) => page.tenantId),
    fields: inOrder.map((page) => page.field),
    descending: inOrder.map((page) => page.descending),
    values: inOrder.map((page) => page.start.value),
    ids: inOrder.map((page) => page.start.id),
    skips: inOrder.map((page) => page.start.skip),
    limits: inOrder.map((page) => page.rows),
    countUpTo: inOrder.map((page) => page.countUpTo),
  });
  const found = new Map(
    groups.flatMap(([tenantId, group], place) => {
      const answer = rows[place]?.answer;
      const pagesOfTenant = answer ? pagesIn(answer, tenantId) : [];
      return group.map((page, index) => [page, pagesOfTenant[index]] as const);
    }),
  );
  return pages.map((page) => found.get(page) ?? { rows: [], counted: 0 });
}

function pagesIn({ ids, sizes, counted, records }: TenantPages, tenantId: TenantId): FoundUsers[] {
  const byId = usersIn(records, tenantId);
  let end = 0;
  return sizes.map((size, index) => {
    const start = end;
    end += size;
    return { rows: usersInOrder(ids.slice(start, end), byId), counted: counted[index] ?? 0 };
  });
}

function usersInOrder(ids: readonly UserId[], byId: ReadonlyMap<UserId, UserRow>): UserRow[] {
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A search for a part of an email address, or of any identifier or name, in a large tenant. */
export interface Search {
  readonly part: string;
  /** A pattern or pairs of characters. */
  readonly rare: readonly string[];
  /** A second pattern. */
  readonly also: string | undefined;
  /** A part of a name, and the same for it; undefined if only email addresses are searched. */
  readonly name: { readonly part: string; readonly rare: readonly string[] } | undefined;
  /** The approximate number of users in the tenant. */
  readonly users: number;
}

/** A page of the users with a part in an email address, or in any identifier or name; undefined if `most` match. */
export async function searchUsers(
  tenant: TenantData,
  { field, descending, limit, after }: Page,
  start: Start,
  term: Search,
  most: number,
): Promise<FoundUsers | undefined> {
  // IDs are ordered by age, so the ID alone is enough for a cursor.
  const id = after?.id ?? (descending ? LAST_ID : '');
  const from = field === 'created_at' ? { ...start, value: '', id } : start;
  const position = { field, descending, ...from, limit: limit + 1 };
  const [row] = await tenant.call(search, { ...paramsOf(term), ...position, most });
  if (!row?.answer) return undefined;
  const { ids, counted, records } = row.answer;
  return { rows: usersInOrder(ids, usersIn(records, tenant.tenantId)), counted };
}

/** The IDs of all users with a part; undefined if as many as `most` match. */
export async function findIdsByPart(
  tenant: TenantData,
  term: Search,
  most: number,
): Promise<readonly UserId[] | undefined> {
  const position = { field: '', descending: true, value: '', id: '', skip: 0, limit: 0 };
  const [row] = await tenant.call(search, { ...paramsOf(term), ...position, most });
  return row?.answer?.ids;
}

function paramsOf({ part, rare, also, name, users }: Search) {
  const ofName = { name: name?.part ?? null, nameRare: name?.rare ?? [] };
  return { rare, also: also ?? null, part, ...ofName, users };
}

/** Every nth user in ascending order of a field, and the number of users. */
export async function findCheckpoints(tx: TenantTx, field: SortField, step: number) {
  const rows = await callAs(tx, userCheckpoints, { field, step });
  const checkpoints = rows.flatMap(({ value, id }) =>
    value === null || id === null ? [] : [{ value, id }],
  );
  return { checkpoints, total: rows.at(-1)?.passed ?? 0 };
}

function usersIn(records: Records, tenantId: TenantId): Map<UserId, UserRow> {
  const byId = new Map<UserId, UserRow>();
  for (const row of rowsOf(records.users)) {
    const [id, isActive, created_at, metadata, userMetadata, name, picture, last_login_at] = row;
    byId.set(id, {
      id,
      tenant_id: tenantId,
      name,
      picture,
      is_active: isActive,
      metadata,
      user_metadata: userMetadata,
      ...timesOf({ created_at, last_login_at }),
      identifiers: [],
      roles: [],
      workspaces: [],
    });
  }
  const identifiers = rowsOf(records.identifiers).toSorted(
    ([, , , , position], [, , , , other]) => position - other,
  );
  for (const [id, type, identifier, verified] of identifiers) {
    byId.get(id)?.identifiers.push({ type, identifier, verified });
  }
  const roles = rowsOf(records.roles).toSorted(([, role], [, other]) => (role < other ? -1 : 1));
  for (const [id, role] of roles) byId.get(id)?.roles.push(role);
  const workspaces = rowsOf(records.workspaces).toSorted(
    ([, , position], [, , other]) => position - other,
  );
  for (const [id, workspaceId] of workspaces) byId.get(id)?.workspaces.push(workspaceId);
  return byId;
}

function rowsOf<Row extends readonly unknown[]>(columns: Columns<Row>): Row[] {
  const [first] = columns;
  const rows = (first ?? []).map((_, index): readonly unknown[] =>
    columns.map((column) => column?.[index]),
  );
  return rows as Row[];
}

/** A user from an import, ready to be inserted. */
export interface ImportCandidate extends CheckedUser {
  readonly id: UserId;
  readonly roles: readonly string[];
}

/** Inserts the users whose identifiers are free. @returns one outcome per user, in order */
export function insertImported(tx: TenantTx, users: readonly ImportCandidate[]) {
  const rows = users.map((user) => ({
    id: user.id,
    name: user.name,
    name_key: nameKey(user.name),
    picture: user.picture,
    is_active: user.isActive,
    metadata: user.metadata,
    user_metadata: user.userMetadata,
    secret_hash: user.secretHash ?? null,
    identifiers: user.identifiers,
    roles: user.roles,
  }));
  return callAs(tx, importUsers, { rows: JSON.stringify(rows), now: tx.now });
}

/** Counts the newest active users, up to a limit, by their strongest factor. */
export async function countProtection(tx: TenantTx, most: number): Promise<UserProtection> {
  const has = (type: 'passkey' | 'totp') => sql`EXISTS (
    SELECT FROM user_factors f
     WHERE f.tenant_id = u.tenant_id AND f.user_id = u.id AND f.type = ${type}
       AND f.confirmed_at IS NOT NULL)`;
  const { rows } = await sql<UserProtection>`
    SELECT count(*)::integer AS users,
           count(*) FILTER (WHERE has_passkey)::integer AS passkey,
           count(*) FILTER (WHERE has_app AND NOT has_passkey)::integer AS authenticator_app
      FROM (
        SELECT u.has_second_factor AND ${has('passkey')} AS has_passkey,
               u.has_second_factor AND ${has('totp')} AS has_app
          FROM users u WHERE u.tenant_id = ${tx.tenantId} AND u.is_active
         ORDER BY u.created_at DESC, u.id DESC LIMIT ${most}
      ) AS counted`.execute(tx.db);
  return rows[0] ?? { users: 0, passkey: 0, authenticator_app: 0 };
}
