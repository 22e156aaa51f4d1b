import type { WorkspaceId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { statement } from '../../platform/db/database.ts';
import { COUNT_UP_TO, type Page } from '../../platform/db/page.ts';
import type { TenantData, TenantTx } from '../../tenancy/gate.ts';
import type { UserRow } from './store.ts';

/** What a list of users can be sorted by. */
export type SortField = 'created_at' | 'identifier';

/** Where a page begins: so many users after this value and id, in the direction of the list. */
export interface Start {
  readonly value: string;
  readonly id: string;
  readonly skip: number;
}

/** Rows of JSON, in the order of the columns; null where there are none. */
interface Answer {
  readonly users: readonly [string, boolean, string, object][] | null;
  readonly identifiers: readonly [string, 'email' | 'phone', string, boolean][] | null;
  readonly roles: readonly [string, string][] | null;
  readonly workspaces: readonly [string, WorkspaceId][] | null;
  readonly counted: number;
}

export interface FoundUsers {
  /** One more than the page has, if there is one. */
  readonly rows: UserRow[];
  readonly counted: number;
}

const list = statement(
  'kw_list_users',
  'SELECT * FROM kw_list_users($1, $2, $3, $4, $5, NULL, $6, $7, $8)',
);

/** A page of all users in one round trip. @param countUpTo 0: they are not counted */
export async function listUsers(
  tenant: TenantData,
  { field, descending, limit }: Page,
  { value, id, skip }: Start,
  countUpTo: number,
): Promise<FoundUsers> {
  const values = [field, descending, value, id, skip, limit + 1, countUpTo];
  const [answer] = await tenant.call<Answer>(list, values);
  return found(tenant.tenantId, answer);
}

/** How many users there are, counted no further than COUNT_UP_TO. */
export async function countAllUsers(tenant: TenantData): Promise<number> {
  const nowhere = ['created_at', false, 'infinity', '', 0, 0, COUNT_UP_TO];
  const [answer] = await tenant.call<Answer>(list, nowhere);
  return answer?.counted ?? 0;
}

/** A page of the users with a part in an e-mail address, who are looked for one after the other. */
export async function walkForPart(
  tx: TenantTx,
  { descending, limit }: Page,
  { value, id, skip }: Start,
  part: string,
): Promise<UserRow[]> {
  const { rows } = await sql<Answer>`
    SELECT * FROM kw_list_users(
      ${tx.tenantId}, 'created_at', ${descending}::boolean, ${value}, ${id}, ${part},
      ${skip}::integer, ${limit + 1}::integer, 0)`.execute(tx.db);
  return found(tx.tenantId, rows[0]).rows;
}

/**
 * The same by the index on parts. Where there are more than `most`, their number alone, which is counted no further
 * than COUNT_UP_TO.
 * @param rare some of the part, short and rare
 */
export async function searchForPart(
  tx: TenantTx,
  { descending, limit }: Page,
  { value, id, skip }: Start,
  part: string,
  rare: string,
  most: number,
): Promise<FoundUsers> {
  const pattern = `%${rare.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<{ ids: string[] | null; counted: number }>`
    SELECT * FROM kw_search_users(
      ${tx.tenantId}, ${pattern}, ${part}, ${descending}::boolean, ${value}, ${id},
      ${skip}::integer, ${limit + 1}::integer, ${most}::integer, ${COUNT_UP_TO}::integer)`.execute(
    tx.db,
  );
  const { ids, counted } = rows[0] ?? { ids: null, counted: 0 };
  if (ids === null || ids.length === 0) return { rows: [], counted };
  const shown = await sql<Answer>`
    SELECT * FROM kw_list_users(
      ${tx.tenantId}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, ${ids}::text[])`.execute(tx.db);
  return { rows: found(tx.tenantId, shown.rows[0]).rows, counted };
}

/** Every so manieth user in the ascending order of a field, and how many there are. */
export async function findMarks(tx: TenantTx, field: SortField, step: number) {
  const { rows } = await sql<{ value: string | null; id: string | null; passed: number }>`
    SELECT * FROM kw_user_marks(${tx.tenantId}, ${field}, ${step}::integer)`.execute(tx.db);
  const marks = rows.flatMap(({ value, id }) =>
    value === null || id === null ? [] : [{ value, id }],
  );
  return { marks, total: rows.at(-1)?.passed ?? 0 };
}

function found(tenantId: string, answer: Answer | undefined): FoundUsers {
  const byId = new Map<string, UserRow>();
  for (const [id, isActive, createdAt, metadata] of answer?.users ?? []) {
    byId.set(id, {
      id,
      tenant_id: tenantId,
      is_active: isActive,
      metadata: metadata as UserRow['metadata'],
      created_at: new Date(createdAt),
      identifiers: [],
      roles: [],
      workspaces: [],
    });
  }
  for (const [id, type, identifier, verified] of answer?.identifiers ?? []) {
    byId.get(id)?.identifiers.push({ type, identifier, verified });
  }
  for (const [id, role] of answer?.roles ?? []) byId.get(id)?.roles.push(role);
  for (const [id, workspaceId] of answer?.workspaces ?? []) {
    byId.get(id)?.workspaces.push(workspaceId);
  }
  return { rows: [...byId.values()], counted: answer?.counted ?? 0 };
}
