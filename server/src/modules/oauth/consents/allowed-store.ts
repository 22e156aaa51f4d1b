import type { ConsentId, OAuthResourceId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** What a user allows an application at a resource. */
export interface AllowedAt {
  readonly resourceId: OAuthResourceId;
  readonly scopes: readonly string[];
}

export async function findAllowedAt(tx: TenantTx, id: ConsentId): Promise<AllowedAt[]> {
  const rows = await tx.db
    .selectFrom('consent_resources')
    .select(['resource_id', 'scopes'])
    .where('tenant_id', '=', tx.tenantId)
    .where('consent_id', '=', id)
    .execute();
  return rows.map(({ resource_id: resourceId, scopes }) => ({ resourceId, scopes }));
}

/** Of two at once, both are in the result. */
export async function allowAt(
  tx: TenantTx,
  id: ConsentId,
  { resourceId, scopes }: AllowedAt,
): Promise<void> {
  await sql`
    INSERT INTO consent_resources AS c (tenant_id, consent_id, resource_id, scopes)
    VALUES (${tx.tenantId}, ${id}, ${resourceId}, ${[...scopes]})
    ON CONFLICT (tenant_id, consent_id, resource_id) DO UPDATE
      SET scopes = ARRAY(SELECT DISTINCT unnest(c.scopes || excluded.scopes) ORDER BY 1)`.execute(
    tx.db,
  );
}

/** Of a consent that is revoked: if it is given again, only what is new counts. */
export async function forgetAllowedAt(tx: TenantTx, id: ConsentId): Promise<void> {
  await tx.db
    .deleteFrom('consent_resources')
    .where('tenant_id', '=', tx.tenantId)
    .where('consent_id', '=', id)
    .execute();
}
