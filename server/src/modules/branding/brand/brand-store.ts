import type { TenantId } from '@keywright/contract/ids';
import type { TextLocale } from '@keywright/contract/locale';
import type { ClientBranding } from '@keywright/contract/records/branding';
import type { LogoKind } from '@keywright/contract/records/logo';
import type { TenantBranding } from '@keywright/contract/records/tenant';
import { sql } from 'kysely';
import { deleteFrom, from, type SystemTx, type TenantTx, update } from '../../../tenancy/gate.ts';

/** The address of an uploaded image. Nodes of earlier versions rely on a non-null text. */
const NO_ADDRESS = '';

function logos(tx: TenantTx) {
  return from(tx, 'logos');
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

/** A logo with an address. Logos without an address were uploaded. */
export type FetchedRow = LogoRow & { readonly url: string };

export function isFetched(row: LogoRow): row is FetchedRow {
  return row.url !== null;
}

/** Of the tenant or one of its clients. */
export function findImage(tx: TenantTx, digest: Buffer) {
  const ofClients = from(tx, 'client_images')
    .select(['content_type', 'image'])
    .where('digest', '=', digest);
  return logos(tx)
    .select(['content_type', 'image'])
    .where('digest', '=', digest)
    .unionAll(ofClients)
    .limit(1)
    .executeTakeFirst();
}

/** A tenant's settings for its pages. */
interface Looking {
  readonly branding: TenantBranding;
  /** Texts that replace those of the service; null if there are none. */
  readonly texts: readonly TextOverride[] | null;
  /** The branding of clients, by their IDs; null if none has its own. */
  readonly clients: Readonly<Record<string, ClientLook>> | null;
}

export type ClientLook = Pick<ClientBranding, 'settings' | 'images'>;

export interface TextOverride {
  readonly locale: string;
  readonly key: string;
  readonly text: string;
}

export async function findLooking(tx: TenantTx): Promise<Looking> {
  const row = await from(tx, 'tenants')
    .select([
      'branding',
      sql<
        Looking['texts']
      >`(SELECT jsonb_agg(jsonb_build_object('locale', locale, 'key', key, 'text', text))
        FROM tenant_texts WHERE tenant_id = ${tx.tenantId})`.as('texts'),
      sql<
        Looking['clients']
      >`(SELECT jsonb_object_agg(client_id, jsonb_build_object('settings', settings, 'images', images))
        FROM client_brandings WHERE tenant_id = ${tx.tenantId})`.as('clients'),
    ])
    .executeTakeFirst();
  return {
    branding: row?.branding ?? {},
    texts: row?.texts ?? null,
    clients: row?.clients ?? null,
  };
}

/** The result of a fetch: an image, or why there is none. */
export type Fetched =
  | { readonly contentType: string; readonly digest: Buffer; readonly image: Buffer }
  | { readonly reason: string; readonly isOver: boolean };

/** Stores the result, unless the address has changed meanwhile. Without a new image, the stored one remains. */
export async function storeLogo(
  tx: TenantTx,
  { kind, url, status }: Pick<LogoRow, 'kind' | 'url' | 'status'>,
  fetched: Fetched,
): Promise<void> {
  const failed: LogoRow['status'] = status === 'stored' ? 'stored' : 'failed';
  const result =
    'reason' in fetched
      ? { reason: fetched.reason, ...(fetched.isOver && { status: failed }) }
      : {
          status: 'stored' as const,
          reason: null,
          content_type: fetched.contentType,
          digest: fetched.digest,
          image: fetched.image,
        };
  tx.changed();
  await update(tx, 'logos')
    .set((eb) => ({ ...result, attempts: eb('attempts', '+', 1), updated_at: tx.now }))
    .where('kind', '=', kind)
    .where('url', '=', url)
    .execute();
}

/** The tenants with a logo that has been pending since then, the oldest first. */
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

export interface Upload {
  readonly kind: LogoKind;
  readonly contentType: string;
  readonly digest: Buffer;
  readonly image: Buffer;
}

/**
 * Removes the address of a logo, and thereby its image, from the branding. Locks the branding until the commit, so that
 * changes of it are serialized.
 * @returns whether the branding had an address
 */
export async function dropAddress(tx: TenantTx, kind: LogoKind): Promise<boolean> {
  const row = await from(tx, 'tenants')
    .select(sql<boolean>`branding ? ${`${kind}_url`}`.as('has'))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row?.has) return false;
  await update(tx, 'tenants')
    .set({ branding: sql`branding - ${`${kind}_url`}::text` })
    .execute();
  return true;
}

/** Replaces the uploaded image. @returns false if it is the same file */
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

/** @returns whether there was an uploaded image */
export async function deleteUpload(tx: TenantTx, kind: LogoKind): Promise<boolean> {
  const { numDeletedRows } = await deleteFrom(tx, 'logos')
    .where('kind', '=', kind)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The key of a text, and its language. */
export interface TextName {
  readonly locale: TextLocale;
  readonly key: string;
}

function textsIn(tx: TenantTx, locale: TextLocale) {
  return from(tx, 'tenant_texts').where('locale', '=', locale);
}

export async function findTextOverrides(
  tx: TenantTx,
  locale: TextLocale,
): Promise<ReadonlyMap<string, string>> {
  const rows = await textsIn(tx, locale).select(['key', 'text']).execute();
  return new Map(rows.map(({ key, text }) => [key, text]));
}

export async function findTextOverride(
  tx: TenantTx,
  { locale, key }: TextName,
): Promise<string | undefined> {
  const row = await textsIn(tx, locale).select('text').where('key', '=', key).executeTakeFirst();
  return row?.text;
}

/** Locks the texts of a tenant until the commit, so that concurrent transactions count them one after the other. */
export async function lockTexts(tx: TenantTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`texts of ${tx.tenantId}`}, 0))`.execute(
    tx.db,
  );
}

/** Stores a text, unless the tenant has reached the limit with other texts. @returns whether it was stored */
export async function putTextOverride(
  tx: TenantTx,
  { locale, key }: TextName,
  text: string,
  most: number,
): Promise<boolean> {
  tx.changed();
  const others = from(tx, 'tenant_texts')
    .select((eb) => eb.fn.countAll().as('number'))
    .where((eb) => eb.not(eb.and([eb('locale', '=', locale), eb('key', '=', key)])));
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('tenant_texts')
    .columns(['tenant_id', 'locale', 'key', 'text', 'updated_at'])
    .expression(
      tx.db
        .selectNoFrom((eb) => [
          eb.val(tx.tenantId).as('tenant_id'),
          eb.val(locale).as('locale'),
          eb.val(key).as('key'),
          eb.val(text).as('text'),
          eb.cast<Date>(eb.val(tx.now), 'timestamptz').as('updated_at'),
        ])
        .where(others, '<', most),
    )
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'locale', 'key']).doUpdateSet({ text, updated_at: tx.now }),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** @returns whether the text existed */
export async function deleteTextOverride(
  tx: TenantTx,
  { locale, key }: TextName,
): Promise<boolean> {
  tx.changed();
  const { numDeletedRows } = await deleteFrom(tx, 'tenant_texts')
    .where('locale', '=', locale)
    .where('key', '=', key)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
