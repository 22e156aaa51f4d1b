import type { TextLocale } from '@keywright/contract/locale';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** What a text is called, and its language. */
export interface TextName {
  readonly locale: TextLocale;
  readonly key: string;
}

function textsIn(tx: TenantTx, locale: TextLocale) {
  return tx.db
    .selectFrom('tenant_texts')
    .where('tenant_id', '=', tx.tenantId)
    .where('locale', '=', locale);
}

export async function findOwnTexts(
  tx: TenantTx,
  locale: TextLocale,
): Promise<ReadonlyMap<string, string>> {
  const rows = await textsIn(tx, locale).select(['key', 'text']).execute();
  return new Map(rows.map(({ key, text }) => [key, text]));
}

export async function findOwnText(
  tx: TenantTx,
  { locale, key }: TextName,
): Promise<string | undefined> {
  const row = await textsIn(tx, locale).select('text').where('key', '=', key).executeTakeFirst();
  return row?.text;
}

/** Held until the commit, so that the texts of a tenant are counted one after the other. */
export async function lockTexts(tx: TenantTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`texts of ${tx.tenantId}`}, 0))`.execute(
    tx.db,
  );
}

/** Unless the tenant has as many others. @returns whether it is stored */
export async function putOwnText(
  tx: TenantTx,
  { locale, key }: TextName,
  text: string,
  most: number,
): Promise<boolean> {
  tx.changed();
  const others = tx.db
    .selectFrom('tenant_texts')
    .select((eb) => eb.fn.countAll().as('number'))
    .where('tenant_id', '=', tx.tenantId)
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

/** @returns whether there was one */
export async function deleteOwnText(tx: TenantTx, { locale, key }: TextName): Promise<boolean> {
  tx.changed();
  const { numDeletedRows } = await tx.db
    .deleteFrom('tenant_texts')
    .where('tenant_id', '=', tx.tenantId)
    .where('locale', '=', locale)
    .where('key', '=', key)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
