import type { OAuthClientId, SessionId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** The browser session that the session of an application was opened in. */
export async function findLoginOf(tx: TenantTx, id: SessionId): Promise<SessionId | undefined> {
  const row = await tx.db
    .selectFrom('sessions')
    .select(({ fn }) => fn.coalesce('parent_id', 'login_id').as('login_id'))
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('kind', '=', 'client')
    .executeTakeFirst();
  return row?.login_id ?? undefined;
}

/** An application in which a login is used. */
export interface OpenedApplication {
  readonly id: OAuthClientId;
  readonly name: string;
  /** Whether it is told when the login ends. */
  readonly is_told: boolean;
}

/** The applications with living sessions that were opened in this browser session. */
export function findOpened(tx: TenantTx, login: SessionId): Promise<OpenedApplication[]> {
  return tx.db
    .selectFrom('sessions as s')
    .innerJoin('oauth_clients as c', (join) =>
      join.onRef('c.tenant_id', '=', 's.tenant_id').onRef('c.id', '=', 's.client_id'),
    )
    .select(['c.id', 'c.name', sql<boolean>`c.backchannel_logout_uri IS NOT NULL`.as('is_told')])
    .distinct()
    .where('s.tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`(s.parent_id = ${login} OR s.login_id = ${login})`)
    .where('s.is_active', '=', true)
    .orderBy('c.name')
    .orderBy('c.id')
    .execute();
}
