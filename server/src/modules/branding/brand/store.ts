import type { TenantId } from '@keywright/contract/ids';
import type { LogoKind } from '@keywright/contract/records/logo';
import type { TenantBranding } from '@keywright/contract/records/tenant';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { SystemTx } from '../../../tenancy/system.ts';

/** Of an image that was uploaded. Nodes of earlier versions rely on there being a text. */
export const NO_ADDRESS = '';

function logos({ db, tenantId }: TenantTx) {
  return db.selectFrom('logos').where('tenant_id', '=', tenantId);
}

/** Without the images. */
export function findLogos(tx: TenantTx) {
  return logos(tx)
    .select(['tenant_id', 'kind', 'status', 'attempts', 'reason', 'content_type', 'digest'])
    .select((eb) => eb.fn<string | null>('nullif', ['url', sql`${NO_ADDRESS}`]).as('url'))
    .orderBy('kind')
    .execute();
}

export type LogoRow = Awaited<ReturnType<typeof findLogos>>[number];

/** One that has an address: others were uploaded. */
export type FetchedRow = LogoRow & { readonly url: string };

export function isFetched(row: LogoRow): row is FetchedRow {
  return row.url !== null;
}

export function findImage(tx: TenantTx, digest: Buffer) {
  return logos(tx)
    .select(['content_type', 'image'])
    .where('digest', '=', digest)
    .limit(1)
    .executeTakeFirst();
}

/** What a tenant has set for its pages. */
export interface Looking {
  readonly branding: TenantBranding;
  /** In place of those that ship with the service; null: none. */
  readonly texts: readonly OwnText[] | null;
}

export interface OwnText {
  readonly locale: string;
  readonly key: string;
  readonly text: string;
}

export async function findLooking({ db, tenantId }: TenantTx): Promise<Looking> {
  const row = await db
    .selectFrom('tenants')
    .select([
      'branding',
      sql<
        Looking['texts']
      >`(SELECT jsonb_agg(jsonb_build_object('locale', locale, 'key', key, 'text', text))
        FROM tenant_texts WHERE tenant_id = ${tenantId})`.as('texts'),
    ])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return { branding: (row?.branding ?? {}) as TenantBranding, texts: row?.texts ?? null };
}

/** What a fetch led to: an image, or why there is none. */
export type Fetched =
  | { readonly contentType: string; readonly digest: Buffer; readonly image: Buffer }
  | { readonly reason: string; readonly isOver: boolean };

/** Stores the result, unless the address has changed meanwhile. One that is stored stays when it is not replaced. */
export async function storeLogo(
  tx: TenantTx,
  { kind, url, status }: { readonly kind: string; readonly url: string; readonly status: string },
  fetched: Fetched,
): Promise<void> {
  const failed = status === 'stored' ? 'stored' : 'failed';
  const result =
    'reason' in fetched
      ? { reason: fetched.reason, ...(fetched.isOver && { status: failed }) }
      : {
          status: 'stored',
          reason: null,
          content_type: fetched.contentType,
          digest: fetched.digest,
          image: fetched.image,
        };
  tx.changed();
  await tx.db
    .updateTable('logos')
    .set((eb) => ({ ...result, attempts: eb('attempts', '+', 1), updated_at: tx.now }))
    .where('tenant_id', '=', tx.tenantId)
    .where('kind', '=', kind as LogoKind)
    .where('url', '=', url)
    .execute();
}

/** Tenants with a logo that has waited since, the oldest first. */
export async function findWaiting(
  { db }: SystemTx,
  since: Date,
  limit: number,
): Promise<TenantId[]> {
  const rows = await db
    .selectFrom('logos as l')
    .innerJoin('tenants as t', 't.tenant_id', 'l.tenant_id')
    .select('l.tenant_id')
    .where('l.status', '=', 'pending')
    .where('l.updated_at', '<=', since)
    .where('t.is_active', '=', true)
    .where('t.deleted_at', 'is', null)
    .orderBy('l.updated_at')
    .limit(limit)
    .execute();
  return [...new Set(rows.map((row) => row.tenant_id))];
}
