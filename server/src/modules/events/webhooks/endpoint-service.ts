import type { Fail } from '@keywright/contract/errors';
import { scopesToReceive } from '@keywright/contract/event-scopes';
import type { EventType } from '@keywright/contract/events';
import { parseWebhookId, type TenantId, type WebhookId } from '@keywright/contract/ids';
import type { WebhookRecord } from '@keywright/contract/records/webhook';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type {
  createWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '@keywright/contract/routes/webhooks';
import type { Clock } from '../../../platform/clock.ts';
import { newWebhookId } from '../../../platform/crypto/ids.ts';
import { seal } from '../../../platform/crypto/sealed.ts';
import { listed, type PageQuery, readPage } from '../../../platform/db/page.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import type { Core } from '../../../tenancy/module.ts';
import { findMissingScopes } from '../../identity/roles/index.ts';
import { record } from '../journal/index.ts';
import { endpointDue } from './delivery-queue.ts';
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
import { newWebhookSecret, secretPlace } from './webhook-signature.ts';

export const MOST_WEBHOOKS = 1000;
const USUAL_OVERLAP_HOURS = 24;
const HOUR_MS = 60 * 60 * 1000;

type Change = BodyOf<typeof updateWebhook>;

/** The endpoints that receive a tenant's events, and their secrets. */
export class EndpointService {
  readonly #gate: Gate;
  readonly #dataKeys: DataKeys;
  readonly #egress: Egress;
  readonly #clock: Clock;

  constructor({ gate, dataKeys, egress, clock }: Core) {
    this.#gate = gate;
    this.#dataKeys = dataKeys;
    this.#egress = egress;
    this.#clock = clock;
  }

  async list(
    tenantId: TenantId,
    query: PageQuery & { readonly sort?: string },
    fail: Fail<'VALIDATION_FAILED'>,
  ) {
    const page = readPage([tenantId, 'webhooks'], query, query.sort ?? '-created_at', fail);
    const [rows, total] = await this.#gate
      .into(tenantId)
      .transaction(async (tx) => [await findWebhooks(tx, page), await countWebhooks(tx)] as const);
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentWebhook);
  }

  async get(tenantId: TenantId, id: string, fail: Fail<'NOT_FOUND'>): Promise<WebhookRecord> {
    const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
    const row = await this.#gate.into(tenantId).transaction((tx) => findWebhook(tx, webhookId));
    return row ? presentWebhook(row) : fail('NOT_FOUND');
  }

  /** The response to a repeated request has the same ID, but not the secret, which is shown only once. */
  async create(
    tenantId: TenantId,
    caller: Caller,
    { secret = newWebhookSecret(), url, events }: BodyOf<typeof createWebhook>,
    repeatable: RepeatableRequest | undefined,
    fail: Fail<'VALIDATION_FAILED' | 'TOO_MANY_WEBHOOKS' | 'SCOPE_NOT_HELD'>,
  ): Promise<OkOf<typeof createWebhook>> {
    this.#requireCallable(url, fail);
    const id = newWebhookId(this.#clock.now());
    const created = await this.#dataKeys.use(tenantId, (dataKey) =>
      once(this.#gate.into(tenantId), repeatable, async (tx) => {
        await requireMayReceive(tx, caller, events, fail);
        if ((await countWebhooks(tx)) >= MOST_WEBHOOKS) fail('TOO_MANY_WEBHOOKS');
        const sealedSecret = sealSecret(dataKey, tenantId, id, secret);
        const row = await insertWebhook(tx, { id, url, events, sealedSecret, now: tx.now });
        await record(tx, caller, {
          action: 'webhook.created',
          target: { kind: 'webhook', id },
          details: { url: shownUrl(url), events },
          events: [{ type: 'webhook.created', data: { webhook_id: id } }],
        });
        return presentWebhook(row);
      }),
    );
    return created.id === id ? { ...created, secret } : created;
  }

  update(
    tenantId: TenantId,
    caller: Caller,
    id: string,
    { secret, ...patch }: Change,
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
  ): Promise<WebhookRecord> {
    this.#requireCallable(patch.url, fail);
    return this.#dataKeys.use(tenantId, (dataKey) => {
      const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
      return this.#gate.into(tenantId).transaction(async (tx) => {
        const before = (await lockWebhook(tx, webhookId)) ?? fail('NOT_FOUND');
        const change: Partial<Change> = {
          ...changedFields(patch, before, ['events']),
          ...(secret !== undefined && { secret }),
        };
        if (isEmpty(change)) return presentWebhook(before);
        requireSecretFor(change, fail);
        if (secret !== undefined) {
          const sealed = sealSecret(dataKey, tenantId, webhookId, secret);
          await replaceSecret(tx, webhookId, sealed, null);
        }
        const row = (await updateWebhookRow(tx, webhookId, change)) ?? fail('NOT_FOUND');
        const presented = presentWebhook(row);
        // A new URL alone also needs this check, because it decides where the events go.
        if (!isSwitchOff(change)) await requireMayReceive(tx, caller, presented.events, fail);
        // Deliveries that were waiting for the endpoint are now due.
        if (change.is_active) tx.publish(endpointDue, { tenantId, key: webhookId });
        await recordUpdate(tx, caller, webhookId, Object.keys(change));
        return presented;
      });
    });
  }

  /** The response to a repeated request lacks the secret, which is shown only once. */
  async rotateSecret(
    tenantId: TenantId,
    caller: Caller,
    id: string,
    {
      secret = newWebhookSecret(),
      overlap_hours: overlapHours = USUAL_OVERLAP_HOURS,
    }: BodyOf<typeof rotateWebhookSecret>,
    repeatable: RepeatableRequest | undefined,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<OkOf<typeof rotateWebhookSecret>> {
    let fresh: WebhookRecord | undefined;
    const rotated = await this.#dataKeys.use(tenantId, (dataKey) =>
      once(this.#gate.into(tenantId), repeatable, async (tx) => {
        const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
        const until = overlapHours > 0 ? new Date(tx.now.getTime() + overlapHours * HOUR_MS) : null;
        const sealed = sealSecret(dataKey, tenantId, webhookId, secret);
        const row = (await replaceSecret(tx, webhookId, sealed, until)) ?? fail('NOT_FOUND');
        await record(tx, caller, {
          action: 'webhook.rotated',
          target: { kind: 'webhook', id: webhookId },
          details: { overlap_hours: overlapHours },
          events: [
            { type: 'webhook.updated', data: { webhook_id: webhookId, fields: ['secret'] } },
          ],
        });
        fresh = presentWebhook(row);
        return fresh;
      }),
    );
    return rotated === fresh ? { ...rotated, secret } : rotated;
  }

  async delete(tenantId: TenantId, caller: Caller, id: string, fail: Fail<'NOT_FOUND'>) {
    const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
    await this.#gate.into(tenantId).transaction(async (tx) => {
      if (!(await deleteWebhookRow(tx, webhookId))) fail('NOT_FOUND');
      await record(tx, caller, {
        action: 'webhook.deleted',
        target: { kind: 'webhook', id: webhookId },
        events: [{ type: 'webhook.deleted', data: { webhook_id: webhookId } }],
      });
    });
    return { id: webhookId, deleted: true as const };
  }

  /** Rejects a URL to which every delivery would fail. Host names are resolved on delivery. */
  #requireCallable(url: string | undefined, fail: Fail<'VALIDATION_FAILED'>): void {
    const objection = url === undefined ? undefined : this.#egress.findObjection(url);
    if (!objection) return;
    const message = `cannot be called. ${objection.detail}`;
    fail('VALIDATION_FAILED', { errors: [{ path: '/url', message }] });
  }
}

/** An endpoint discloses events, so callers cannot subscribe it to events that they cannot read themselves. */
async function requireMayReceive(
  tx: TenantTx,
  caller: Caller,
  events: readonly EventType[],
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  const missing = await findMissingScopes(tx, caller, events.flatMap(scopesToReceive));
  if (missing.length === 0) return;
  const detail = `These events contain data that you cannot read. You do not hold: ${missing.join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}

/** Requires a secret with a new URL, so that only the endpoint a secret was created for receives its signatures. */
function requireSecretFor({ url, secret }: Partial<Change>, fail: Fail<'VALIDATION_FAILED'>): void {
  if (url === undefined || secret !== undefined) return;
  const message = 'is required to change url: send the current one, or a new one';
  fail('VALIDATION_FAILED', { errors: [{ path: '/secret', message }] });
}

function isSwitchOff(change: Partial<Change>): boolean {
  return change.is_active === false && Object.keys(change).length === 1;
}

function recordUpdate(
  tx: TenantTx,
  caller: Caller,
  webhookId: WebhookId,
  fields: string[],
): Promise<void> {
  return record(tx, caller, {
    action: 'webhook.updated',
    target: { kind: 'webhook', id: webhookId },
    details: { fields },
    events: [{ type: 'webhook.updated', data: { webhook_id: webhookId, fields } }],
  });
}

function sealSecret(dataKey: Buffer, tenantId: TenantId, id: WebhookId, secret: string): Buffer {
  return seal(dataKey, Buffer.from(secret), secretPlace(tenantId, id));
}

/** A URL without its query, which might contain a secret. */
function shownUrl(url: string): string {
  return url.split('?', 1)[0] ?? '';
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
