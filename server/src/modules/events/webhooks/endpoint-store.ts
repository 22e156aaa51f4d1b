import type { WebhookId } from '@keywright/contract/ids';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { deleteFrom, from, type TenantTx, update } from '../../../tenancy/gate.ts';

function webhooks(tx: TenantTx) {
  return from(tx, 'webhooks');
}

export function findWebhook(tx: TenantTx, id: WebhookId) {
  return webhooks(tx).selectAll().where('id', '=', id).executeTakeFirst();
}

export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhook>>>;

/** The endpoint, locked until the commit. */
export function lockWebhook(tx: TenantTx, id: WebhookId): Promise<WebhookRow | undefined> {
  return webhooks(tx).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** A page, plus one more row if there are further rows. */
export function findWebhooks(tx: TenantTx, page: Page): Promise<WebhookRow[]> {
  return pageOf(webhooks(tx).selectAll(), page).execute();
}

export function countWebhooks(tx: TenantTx): Promise<number> {
  return countUpToLimit(tx, webhooks(tx).select('id'));
}

interface NewWebhook {
  readonly id: WebhookId;
  readonly url: string;
  readonly events: readonly string[];
  readonly sealedSecret: Buffer;
  readonly now: Date;
}

export function insertWebhook(tx: TenantTx, webhook: NewWebhook): Promise<WebhookRow> {
  return tx.db
    .insertInto('webhooks')
    .values({
      tenant_id: tx.tenantId,
      id: webhook.id,
      url: webhook.url,
      events: [...webhook.events],
      secret: webhook.sealedSecret,
      created_at: webhook.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

interface WebhookChange {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly is_active?: boolean;
}

/** Changes an endpoint. Enabling it or changing its URL resets its failures. */
export function updateWebhookRow(tx: TenantTx, id: WebhookId, change: WebhookChange) {
  const { url, events, is_active: isActive } = change;
  return update(tx, 'webhooks')
    .set({
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events: [...events] }),
      ...(isActive === undefined ? {} : { is_active: isActive }),
      ...(isActive === true ? { disabled_reason: null } : {}),
      ...(isActive === true || url !== undefined ? { failing_since: null } : {}),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** @param previousUntil when the current secret expires; null if immediately */
export function replaceSecret(
  tx: TenantTx,
  id: WebhookId,
  sealedSecret: Buffer,
  previousUntil: Date | null,
) {
  return update(tx, 'webhooks')
    .set((eb) => ({
      previous_secret: previousUntil ? eb.ref('secret') : null,
      previous_secret_until: previousUntil,
      secret: sealedSecret,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteWebhookRow(tx: TenantTx, id: WebhookId): Promise<boolean> {
  const { numDeletedRows } = await deleteFrom(tx, 'webhooks')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Disables an endpoint. @returns whether it was enabled */
export async function disableWebhook(
  tx: TenantTx,
  id: WebhookId,
  reason: string,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'webhooks')
    .set({ is_active: false, disabled_reason: reason })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
