import type { UserId } from '@keywright/contract/ids';
import { statement } from '../../platform/db/database.ts';
import type { TenantData } from '../../tenancy/gate.ts';
import type { Tenant } from '../../tenancy/tenant.ts';

/** Whom an identifier belongs to, as far as a login needs it; all null when nobody has it. */
export interface LoginRow {
  readonly user_id: UserId | null;
  readonly is_active: boolean | null;
  readonly secret_hash: string | null;
}

const beginLogin = statement(
  'kw_begin_login',
  'SELECT * FROM kw_begin_login($1, $2, $3, $4, $5, $6, $7)',
);

/** Counts the attempt, and finds the user if it is admitted. `retry_after`: the seconds to wait if not. */
export async function countAndFind(
  data: TenantData,
  config: Tenant['config'],
  identifier: string,
  subjects: readonly [Buffer, Buffer],
  now: Date,
): Promise<LoginRow & { readonly retry_after: number | null }> {
  const values = [
    identifier,
    ...subjects,
    config.login_attempts_limit,
    config.login_attempts_window,
    now,
  ];
  const [row] = await data.call<LoginRow & { retry_after: number | null }>(beginLogin, values);
  return row as LoginRow & { retry_after: number | null };
}

/** Finds the user without counting: the attempt was counted before. */
export function findLogin(data: TenantData, identifier: string): Promise<LoginRow | undefined> {
  return data.transaction((tx) =>
    tx.db
      .selectFrom('user_identifiers as i')
      .innerJoin('users as u', (join) =>
        join.onRef('u.tenant_id', '=', 'i.tenant_id').onRef('u.id', '=', 'i.user_id'),
      )
      .leftJoin('user_credentials as c', (join) =>
        join
          .onRef('c.tenant_id', '=', 'i.tenant_id')
          .onRef('c.user_id', '=', 'i.user_id')
          .on('c.type', '=', 'password'),
      )
      .select(['i.user_id', 'u.is_active', 'c.secret_hash'])
      .where('i.tenant_id', '=', tx.tenantId)
      .where('i.identifier', '=', identifier)
      .$narrowType<{ user_id: UserId }>()
      .executeTakeFirst(),
  );
}
