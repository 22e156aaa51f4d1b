import type { TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { importUsers } from '../../../../sql/identity/kw_import_users.ts';
import { listUsers } from '../../../../sql/identity/kw_list_users.ts';
import { searchUsers as search } from '../../../../sql/identity/kw_search_users.ts';
import { userCheckpoints } from '../../../../sql/identity/kw_user_checkpoints.ts';
import { callAs } from '../../../platform/db/calls.ts';
import { COUNT_UP_TO, type Page } from '../../../platform/db/page.ts';
import type { Gate, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { UserRow } from '../users/index.ts';
import type { CheckedUser } from './import-rules.ts';

/** What a list of users can be sorted by. */
export type SortField = 'created_at' | 'identifier';

/** Where a page begins: so many users after this value and id, in the direction of the list. */
export interface Start {
  readonly value: string;
  readonly id: string;
  readonly skip: number;
}

/** A page of all users of a tenant. */
export interface WantedPage {
  readonly tenantId: TenantId;
  readonly field: SortField;
  readonly descending: boolean;
  readonly start: Start;
  /** How many users are wanted at most; 0 where only their number is. */
  readonly rows: number;
  /** 0: they are not counted. */
  readonly countUpTo: number;
}

export interface FoundUsers {
  /** One more than the page has, if there is one. */
  readonly rows: UserRow[];
  readonly counted: number;
}

/** What is shown of users: the columns of each table, in no order. The last one of some is a position. */
interface Records {
  readonly users: Columns<[UserId, boolean, string, UserRow['metadata'], UserRow['user_metadata']]>;
  readonly identifiers: Columns<[UserId, 'email' | 'phone', string, boolean, number]>;
  readonly roles: Columns<[UserId, string]>;
  readonly workspaces: Columns<[UserId, WorkspaceId, number]>;
}

/** One array for each column of a row; null where there are no rows. */
type Columns<Row extends readonly unknown[]> = {
  readonly [Index in keyof Row]: readonly Row[Index][] | null;
};

/** The pages of a tenant: their ids, one page after the other, and how many each has. */
interface ListAnswer {
  readonly ids: readonly UserId[];
  readonly sizes: readonly number[];
  readonly counted: readonly number[];
  readonly records: Records;
}

interface SearchAnswer {
  readonly ids: readonly UserId[];
  readonly counted: number | null;
  readonly records: Records;
}

/** Sorts behind every id. */
const LAST_ID = '\u{10FFFF}';

/** Pages of any tenants in one round trip, in their order. What several of a tenant show is read once. */
export async function listUserPages(
  gate: Gate,
  pages: readonly WantedPage[],
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
      const answer = rows[place]?.answer as ListAnswer | undefined;
      const pagesOfTenant = answer ? pagesIn(answer, tenantId) : [];
      return group.map((page, index) => [page, pagesOfTenant[index]] as const);
    }),
  );
  return pages.map((page) => found.get(page) ?? { rows: [], counted: 0 });
}

function pagesIn({ ids, sizes, counted, records }: ListAnswer, tenantId: TenantId): FoundUsers[] {
  const byId = usersIn(records, tenantId);
  let end = 0;
  return sizes.map((size, index) => {
    const start = end;
    end += size;
    return { rows: inThatOrder(ids.slice(start, end), byId), counted: counted[index] ?? 0 };
  });
}

function inThatOrder(ids: readonly UserId[], byId: ReadonlyMap<UserId, UserRow>): UserRow[] {
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** What is looked for in a large tenant: a part of an e-mail address. */
interface Search {
  readonly part: string;
  /** Some of the part, short and rare; nothing: users are looked for one after the other, and not counted. */
  readonly rare: string | undefined;
  /** Some other of it. */
  readonly also: string | undefined;
  /** How many users the tenant has, about. */
  readonly users: number;
}

/** A page by age of the users with a part in an e-mail address, counted no further than COUNT_UP_TO. */
export async function searchUsers(
  tenant: TenantData,
  { descending, limit, offset, after }: Page,
  { part, rare, also, users }: Search,
): Promise<FoundUsers> {
  // Ids sort by age, so the id alone says where a cursor leads to.
  const from = after?.id ?? (descending ? LAST_ID : '');
  const [row] = await tenant.call(search, {
    rare: patternOf(rare),
    also: patternOf(also),
    part,
    descending,
    id: from,
    skip: offset,
    limit: limit + 1,
    users,
    countUpTo: COUNT_UP_TO,
  });
  if (!row) return { rows: [], counted: 0 };
  const { ids, counted, records } = row.answer as unknown as SearchAnswer;
  return {
    rows: inThatOrder(ids, usersIn(records, tenant.tenantId)),
    counted: counted ?? 0,
  };
}

function patternOf(piece: string | undefined): string | null {
  return piece === undefined ? null : `%${piece.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** Every nth user in the ascending order of a field, and how many there are. */
export async function findCheckpoints(tx: TenantTx, field: SortField, step: number) {
  const rows = await callAs(tx, userCheckpoints, { field, step });
  const checkpoints = rows.flatMap(({ value, id }) =>
    value === null || id === null ? [] : [{ value, id }],
  );
  return { checkpoints, total: rows.at(-1)?.passed ?? 0 };
}

function usersIn(records: Records, tenantId: TenantId): Map<UserId, UserRow> {
  const byId = new Map<UserId, UserRow>();
  for (const [id, isActive, createdAt, metadata, userMetadata] of rowsOf(records.users)) {
    byId.set(id, {
      id,
      tenant_id: tenantId,
      is_active: isActive,
      metadata,
      user_metadata: userMetadata,
      created_at: new Date(createdAt),
      identifiers: [],
      roles: [],
      workspaces: [],
    });
  }
  const identifiers = rowsOf(records.identifiers).toSorted(
    ([, , , , one], [, , , , other]) => one - other,
  );
  for (const [id, type, identifier, verified] of identifiers) {
    byId.get(id)?.identifiers.push({ type, identifier, verified });
  }
  const roles = rowsOf(records.roles).toSorted(([, one], [, other]) => (one < other ? -1 : 1));
  for (const [id, role] of roles) byId.get(id)?.roles.push(role);
  const workspaces = rowsOf(records.workspaces).toSorted(([, , one], [, , other]) => one - other);
  for (const [id, workspaceId] of workspaces) byId.get(id)?.workspaces.push(workspaceId);
  return byId;
}

function rowsOf<Row extends readonly unknown[]>(columns: Columns<Row>): Row[] {
  const [first] = columns;
  return (first ?? []).map(
    (_, index) => columns.map((column) => column?.[index]) as unknown as Row,
  );
}

/** A user to insert. */
export interface Candidate extends CheckedUser {
  readonly id: UserId;
  readonly roles: readonly string[];
}

/** Inserts those whose identifiers are free; answers in their order. */
export function insertImported(tx: TenantTx, users: readonly Candidate[]) {
  const rows = users.map((user) => ({
    id: user.id,
    is_active: user.isActive,
    metadata: user.metadata,
    user_metadata: user.userMetadata,
    secret_hash: user.secretHash ?? null,
    identifiers: user.identifiers,
    roles: user.roles,
  }));
  return callAs(tx, importUsers, { rows: JSON.stringify(rows), now: tx.now });
}
