import { createHmac, hkdfSync } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { TenantId } from '@keywright/contract/ids';
import type { MessageKind } from '@keywright/contract/messages';
import type {
  SuppressionRecord,
  MessageRecord,
  MessageState,
} from '@keywright/contract/records/message';
import type { QueryOf } from '@keywright/contract/route';
import type { listMessages, listSuppressions } from '@keywright/contract/routes/message-log';
import { seal } from '../../../platform/crypto/sealed.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { parseReason } from '../../../platform/coded-reason.ts';
import { type Caller, isInTheNameOf } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { record, type Actor } from '../journal/index.ts';
import {
  countMessages,
  findMessages,
  countSuppressions,
  deleteSuppression,
  findSuppressionRow,
  findSuppressions,
  insertSuppression,
  type NewSuppression,
  type LoggedMessage,
  type SuppressionRow,
} from './message-log-store.ts';
import { maskAddress } from './message.ts';

const ID = /^[\w-]{43}$/;
const REASON_CHARACTERS = 200;
const SYSTEM = { kind: 'system', name: 'messages' } as const;

/** The messages of a tenant, and its suppressed addresses. */
export class MessageLog {
  readonly #gate: Gate;
  readonly #dataKeys: DataKeys;

  constructor(gate: Gate, dataKeys: DataKeys) {
    this.#gate = gate;
    this.#dataKeys = dataKeys;
  }

  async list(
    tenantId: TenantId,
    caller: Caller,
    query: QueryOf<typeof listMessages>,
    fail: Fail<'VALIDATION_FAILED' | 'PRINCIPAL_PROTECTED'>,
  ) {
    const { sort = '-created_at', status, user_id: userId } = query;
    if (userId !== undefined && isInTheNameOf(caller, userId)) fail('PRINCIPAL_PROTECTED');
    const page = readPage([tenantId, 'messages'], query, sort, fail);
    const filter = { status, userId };
    const [rows, total] = await this.#gate
      .into(tenantId)
      .transaction(
        async (tx) =>
          [await findMessages(tx, filter, page), await countMessages(tx, filter)] as const,
      );
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentMessage);
  }

  async listSuppressions(
    tenantId: TenantId,
    query: QueryOf<typeof listSuppressions>,
    fail: Fail<'VALIDATION_FAILED'>,
  ) {
    const { sort = '-created_at' } = query;
    const page = readPage([tenantId, 'suppressions'], query, sort, fail);
    const [rows, total] = await this.#gate
      .into(tenantId)
      .transaction(
        async (tx) => [await findSuppressions(tx, page), await countSuppressions(tx)] as const,
      );
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentSuppression);
  }

  /** @param text the ID of a suppression, or an email address */
  async getSuppression(
    tenantId: TenantId,
    text: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<SuppressionRecord> {
    const id = (await this.#idOf(tenantId, text)) ?? fail('NOT_FOUND');
    const row = await this.#gate.into(tenantId).transaction((tx) => findSuppressionRow(tx, id));
    return row ? presentSuppression(row) : fail('NOT_FOUND');
  }

  /** @param text the ID of a suppression, or an email address */
  async deleteSuppression(
    tenantId: TenantId,
    caller: Caller,
    text: string,
    fail: Fail<'NOT_FOUND'>,
  ) {
    const id = (await this.#idOf(tenantId, text)) ?? fail('NOT_FOUND');
    return this.#gate.into(tenantId).transaction(async (tx) => {
      const deleted = (await deleteSuppression(tx, id)) ?? fail('NOT_FOUND');
      await record(tx, caller, {
        action: 'messaging.suppression_removed',
        target: { kind: 'tenant', id: tx.tenantId },
        details: { to: deleted.masked_destination, reason: deleted.reason },
      });
      return { id, deleted: true as const };
    });
  }

  /** Suppresses an address, as `parseIdentifier` returns it. */
  async suppress(
    tenantId: TenantId,
    address: string,
    reason: NewSuppression['reason'],
  ): Promise<void> {
    const suppression = await this.#dataKeys.use(tenantId, (key) =>
      sealSuppression(key, tenantId, address, reason),
    );
    await this.#gate.into(tenantId).transaction((tx) => suppressWithin(tx, suppression));
  }

  async #idOf(tenantId: TenantId, text: string): Promise<string | undefined> {
    if (ID.test(text)) return text;
    const address = parseIdentifier(text);
    if (address?.type !== 'email') return undefined;
    return this.#dataKeys.use(tenantId, (key) => suppressionId(key, address.identifier));
  }
}

export function sealSuppression(
  dataKey: Buffer,
  tenantId: TenantId,
  address: string,
  reason: NewSuppression['reason'],
): NewSuppression {
  const id = suppressionId(dataKey, address);
  const sealed = seal(dataKey, Buffer.from(address), suppressionPlace(tenantId, id));
  return { id, address, sealed, reason };
}

/** Suppresses an address. Repeated reports are not recorded again. @returns whether this changed anything */
export async function suppressWithin(
  tx: TenantTx,
  suppression: NewSuppression,
  by?: Actor,
): Promise<boolean> {
  const isNew = await insertSuppression(tx, suppression);
  if (isNew) await recordSuppression(tx, suppression, by);
  return isNew;
}

/** @param by default: the service, after an email server rejected the message */
function recordSuppression(
  tx: TenantTx,
  { address, reason }: NewSuppression,
  by: Actor = SYSTEM,
): Promise<void> {
  return record(tx, by, {
    action: 'messaging.suppressed',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { to: maskAddress(address), reason },
  });
}

/** The ID of an address's suppression, which reveals nothing without the key of the tenant. */
function suppressionId(dataKey: Buffer, address: string): string {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright suppressions', 32));
  return createHmac('sha256', key).update(address).digest('base64url');
}

/** The associated data for sealing the address of a suppression. */
function suppressionPlace(tenantId: TenantId, id: string): string {
  return `suppressions/${tenantId}/${id}/destination`;
}

/** Whether a message is suppressed. A complaint suppresses only notices, because the user requested the codes. */
export function isSuppressed(reason: string | undefined, kind: MessageKind): boolean {
  // Neither reports nor an attacker's email server can keep administrators from being warned.
  if (kind === 'notice.logins_changed') return false;
  return reason === 'bounce' || (reason === 'complaint' && kind.startsWith('notice.'));
}

function presentMessage(row: LoggedMessage): MessageRecord {
  const isPending = row.status === 'pending';
  const dueAt = row.due_at.toISOString();
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    user_id: row.user_id,
    kind: row.kind,
    channel: row.channel,
    to: row.masked_destination,
    status: stateOf(row),
    attempts: row.attempts,
    smtp_code: row.reason === null ? null : serverCodeOf(row.reason),
    reason: row.reason?.slice(0, REASON_CHARACTERS) ?? null,
    next_attempt_at: isPending ? dueAt : null,
    ended_at: isPending ? null : dueAt,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}

function stateOf({ status, reason }: LoggedMessage): MessageState {
  if (status === 'done') return reason === null ? 'sent' : 'not_sent';
  return status;
}

/** Returns the status code of the server: of `smtp_550`, or from the end of the detail of a refused login. */
function serverCodeOf(reason: string): number | null {
  const { code, detail = '' } = parseReason(reason);
  const [, status] = /^smtp_(\d{3})$/.exec(code) ?? /\((\d{3})\)$/.exec(detail) ?? [];
  return status === undefined ? null : Number(status);
}

function presentSuppression(row: SuppressionRow): SuppressionRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    to: row.masked_destination,
    reason: row.reason,
    created_at: row.created_at.toISOString(),
  };
}
