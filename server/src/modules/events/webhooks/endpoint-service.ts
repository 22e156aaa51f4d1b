import type { Fail } from '@keywright/contract/errors';
import { scopesToReceive } from '@keywright/contract/event-scopes';
import type { EventType } from '@keywright/contract/events';
import { parseWebhookId, type TenantId, type WebhookId } from '@keywright/contract/ids';
import type { WebhookRecord } from '@keywright/contract/records/webhook';
import type { BodyOf } from '@keywright/contract/route';
import type { createWebhook, updateWebhook } from '@keywright/contract/routes/webhooks';
import { seal } from '../../../platform/crypto/sealed.ts';
import { listed, type PageQuery, readPage } from '../../../platform/db/page.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { record } from '../journal/index.ts';
import { scopesNotHeld } from '../../identity/roles/index.ts';
import { endpointDue } from './delivery-queue.ts';
import { secretPlace } from './webhook-signature.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  findWebhook,
  findWebhooks,
  insertWebhook,
  lockWebhook,
  replaceSecret,
  updateWebhookRow,
  type WebhookRow,
} from './endpoint-store.ts';

const MOST_WEBHOOKS = 1000;
const USUAL_OVERLAP_HOURS = 24;
const HOUR_MS = 60 * 60 * 1000;

interface New extends Omit<BodyOf<typeof createWebhook>, 'secret'> {
  readonly id: WebhookId;
  readonly secret: string;
}

/** The new secret of an endpoint, and how long the previous one remains valid. */
interface Rotation {
  readonly id: string;
  readonly secret: string;
  readonly overlapHours: number | undefined;
}

/** Rejects a URL that every delivery would reject. Host names are resolved on delivery. */
export function requireCallable(
  egress: Egress,
  url: string | undefined,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const objection = url === undefined ? undefined : egress.findObjection(url);
  if (!objection) return;
  const message = `cannot be called. ${objection.detail}`;
  fail('VALIDATION_FAILED', { errors: [{ path: '/url', message }] });
}

/** An endpoint discloses events: callers cannot send elsewhere what they cannot read themselves. */
async function requireMayReceive(
  tx: TenantTx,
  caller: Caller,
  events: readonly EventType[],
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  const missing = await scopesNotHeld(tx, caller, events.flatMap(scopesToReceive));
  if (missing.length === 0) return;
  const detail = `These events contain what you cannot read. You do not hold: ${missing.join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}

export async function listWebhooksPage(
  tenant: TenantData,
  query: PageQuery & { readonly sort?: string },
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'webhooks'], query, query.sort ?? '-created_at', fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findWebhooks(tx, page), await countWebhooks(tx)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentWebhook);
}

export async function getWebhookById(
  tenant: TenantData,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<WebhookRecord> {
  const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findWebhook(tx, webhookId));
  return row ? presentWebhook(row) : fail('NOT_FOUND');
}

export async function writeWebhook(
  tx: TenantTx,
  caller: Caller,
  dataKey: Buffer,
  { id, url, events, secret }: New,
  fail: Fail<'TOO_MANY_WEBHOOKS' | 'SCOPE_NOT_HELD'>,
): Promise<WebhookRecord> {
  await requireMayReceive(tx, caller, events, fail);
  if ((await countWebhooks(tx)) >= MOST_WEBHOOKS) fail('TOO_MANY_WEBHOOKS');
  const sealedSecret = sealSecret(dataKey, tx.tenantId, id, secret);
  const row = await insertWebhook(tx, { id, url, events, sealedSecret, now: tx.now });
  await record(tx, caller, {
    action: 'webhook.created',
    target: { kind: 'webhook', id },
    details: { url: shownUrl(url), events },
    events: [{ type: 'webhook.created', data: { webhook_id: id } }],
  });
  return presentWebhook(row);
}

function sealSecret(dataKey: Buffer, tenantId: TenantId, id: WebhookId, secret: string): Buffer {
  return seal(dataKey, Buffer.from(secret), secretPlace(tenantId, id));
}

/** A URL without its query, which may contain a secret. */
function shownUrl(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

export function changeWebhook(
  tenant: TenantData,
  caller: Caller,
  dataKey: Buffer,
  id: string,
  { secret, ...patch }: BodyOf<typeof updateWebhook>,
  fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<WebhookRecord> {
  const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
  return tenant.transaction(async (tx) => {
    const before = (await lockWebhook(tx, webhookId)) ?? fail('NOT_FOUND');
    const change: Partial<BodyOf<typeof updateWebhook>> = {
      ...changedFields(patch, before, ['events']),
      ...(secret !== undefined && { secret }),
    };
    if (isEmpty(change)) return presentWebhook(before);
    requireSecretFor(change, fail);
    if (secret !== undefined) {
      await replaceSecret(tx, webhookId, sealSecret(dataKey, tx.tenantId, webhookId, secret), null);
    }
    const row = (await updateWebhookRow(tx, webhookId, change)) ?? fail('NOT_FOUND');
    const presented = presentWebhook(row);
    // Also for a new URL alone: it decides where the events go.
    if (!isSwitchOff(change)) await requireMayReceive(tx, caller, presented.events, fail);
    // Deliveries that waited for it are now due.
    if (change.is_active) tx.publish(endpointDue, { tenantId: tx.tenantId, key: webhookId });
    const fields = Object.keys(change);
    await record(tx, caller, {
      action: 'webhook.updated',
      target: { kind: 'webhook', id: webhookId },
      details: { fields },
      events: [{ type: 'webhook.updated', data: { webhook_id: webhookId, fields } }],
    });
    return presented;
  });
}

/** Nobody but the endpoint that a secret was given for receives what is signed with it. */
function requireSecretFor(
  { url, secret }: Partial<BodyOf<typeof updateWebhook>>,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (url === undefined || secret !== undefined) return;
  const message = 'is required with another url: the present one, or a new one';
  fail('VALIDATION_FAILED', { errors: [{ path: '/secret', message }] });
}

function isSwitchOff(change: Partial<BodyOf<typeof updateWebhook>>): boolean {
  return change.is_active === false && Object.keys(change).length === 1;
}

export async function rotateSecret(
  tx: TenantTx,
  caller: Caller,
  dataKey: Buffer,
  { id, secret, overlapHours = USUAL_OVERLAP_HOURS }: Rotation,
  fail: Fail<'NOT_FOUND'>,
): Promise<WebhookRecord> {
  const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
  const until = overlapHours > 0 ? new Date(tx.now.getTime() + overlapHours * HOUR_MS) : null;
  const sealed = sealSecret(dataKey, tx.tenantId, webhookId, secret);
  const row = (await replaceSecret(tx, webhookId, sealed, until)) ?? fail('NOT_FOUND');
  await record(tx, caller, {
    action: 'webhook.rotated',
    target: { kind: 'webhook', id: webhookId },
    details: { overlap_hours: overlapHours },
    events: [{ type: 'webhook.updated', data: { webhook_id: webhookId, fields: ['secret'] } }],
  });
  return presentWebhook(row);
}

export async function removeWebhook(
  tenant: TenantData,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<WebhookId> {
  const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
  await tenant.transaction(async (tx) => {
    if (!(await deleteWebhookRow(tx, webhookId))) fail('NOT_FOUND');
    await record(tx, caller, {
      action: 'webhook.deleted',
      target: { kind: 'webhook', id: webhookId },
      events: [{ type: 'webhook.deleted', data: { webhook_id: webhookId } }],
    });
  });
  return webhookId;
}

function presentWebhook(row: WebhookRow): WebhookRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    url: row.url,
    events: row.events as WebhookRecord['events'],
    is_active: row.is_active,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    overlap_ends_at: row.previous_secret_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
