import type { UserId, WorkspaceId } from '@keywright/contract/ids';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

export interface UserFilter {
  readonly ids?: readonly UserId[];
  readonly role?: string;
  readonly workspace_id?: WorkspaceId;
  /** A part of an e-mail address, in lower case. */
  readonly email?: string;
  readonly is_active?: boolean;
  /** Whether they have a verified identifier, or only others. */
  readonly is_verified?: boolean;
  readonly has_logged_in?: boolean;
  readonly last_login_before?: Date;
}

function identifiersThatAre(verified: boolean): RawBuilder<unknown> {
  return sql`
    SELECT FROM user_identifiers i
     WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND ${verified ? sql`` : sql`NOT`} i.verified`;
}
const logins = sql`
  SELECT FROM user_logins l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.id`;

function hasOrNot(has: boolean, rows: RawBuilder<unknown>): RawBuilder<boolean> {
  return has ? sql`EXISTS (${rows})` : sql`NOT EXISTS (${rows})`;
}

/** The users of the tenant that match all of these. */
export function filtered(tx: TenantTx, filter: UserFilter) {
  let query = tx.db.selectFrom('users as u').where('u.tenant_id', '=', tx.tenantId);
  if (filter.ids !== undefined) query = query.where('u.id', 'in', filter.ids);
  if (filter.role !== undefined) {
    query = query.where(sql<boolean>`EXISTS (
      SELECT FROM user_roles r
       WHERE r.tenant_id = u.tenant_id AND r.user_id = u.id AND r.role = ${filter.role})`);
  }
  if (filter.workspace_id !== undefined) {
    query = query.where(sql<boolean>`EXISTS (
      SELECT FROM workspace_members m
       WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id AND m.workspace_id = ${filter.workspace_id})`);
  }
  if (filter.email !== undefined) {
    // strpos: % and _ are not special.
    query = query.where(sql<boolean>`EXISTS (
      SELECT FROM user_identifiers i
       WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id AND i.type = 'email'
         AND strpos(i.identifier, ${filter.email}) > 0)`);
  }
  if (filter.is_active !== undefined) query = query.where('u.is_active', '=', filter.is_active);
  if (filter.is_verified !== undefined) {
    // Named first, those who have one that is not verified are found by an index.
    if (!filter.is_verified) query = query.where(hasOrNot(true, identifiersThatAre(false)));
    query = query.where(hasOrNot(filter.is_verified, identifiersThatAre(true)));
  }
  if (filter.has_logged_in !== undefined) {
    query = query.where(hasOrNot(filter.has_logged_in, logins));
  }
  if (filter.last_login_before !== undefined) {
    query = query.where(
      sql<boolean>`EXISTS (${logins} AND l.last_login_at < ${filter.last_login_before})`,
    );
  }
  return query;
}
