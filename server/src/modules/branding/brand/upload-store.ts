import type { LogoKind } from '@keywright/contract/records/logo';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { NO_ADDRESS } from './store.ts';

export interface Upload {
  readonly kind: LogoKind;
  readonly contentType: string;
  readonly digest: Buffer;
  readonly image: Buffer;
}

/**
 * The branding without the address of a logo, whose image goes with it, until the commit: changes of it are one after the
 * other. @returns whether it had one
 */
export async function dropAddress({ db, tenantId }: TenantTx, kind: LogoKind): Promise<boolean> {
  const row = await db
    .selectFrom('tenants')
    .select(sql<boolean>`branding ? ${`${kind}_url`}`.as('has'))
    .where('tenant_id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row?.has) return false;
  await db
    .updateTable('tenants')
    .set({ branding: sql`branding - ${`${kind}_url`}::text` })
    .where('tenant_id', '=', tenantId)
    .execute();
  return true;
}

/** In place of one that was uploaded before. @returns false if that was the same file */
export async function putUpload(tx: TenantTx, { kind, ...image }: Upload): Promise<boolean> {
  const fields = {
    url: NO_ADDRESS,
    status: 'stored' as const,
    reason: null,
    content_type: image.contentType,
    digest: image.digest,
    image: image.image,
    updated_at: tx.now,
  };
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('logos')
    .values({ tenant_id: tx.tenantId, kind, ...fields })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'kind'])
        .doUpdateSet(fields)
        .where('logos.digest', 'is distinct from', image.digest),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** @returns whether there was one */
export async function deleteUpload({ db, tenantId }: TenantTx, kind: LogoKind): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('logos')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
