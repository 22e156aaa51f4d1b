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
import { type Caller, isInTheNameOf } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { TenantData, Gate, TenantTx } from '../../../tenancy/gate.ts';
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

export async function listMessagesPage(
  tenant: TenantData,
  caller: Caller,
  query: QueryOf<typeof listMessages>,
  fail: Fail<'VALIDATION_FAILED' | 'PRINCIPAL_PROTECTED'>,
) {
  const { sort = '-created_at', status, user_id: userId } = query;
  if (userId !== undefined && isInTheNameOf(caller, userId)) fail('PRINCIPAL_PROTECTED');
  const page = readPage([tenant.tenantId, 'messages'], query, sort, fail);
  const filter = { status, userId };
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findMessages(tx, filter, page), await countMessages(tx, filter)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentMessage);
}

export async function listSuppressionsPage(
  tenant: TenantData,
  query: QueryOf<typeof listSuppressions>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const { sort = '-created_at' } = query;
  const page = readPage([tenant.tenantId, 'suppressions'], query, sort, fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findSuppressions(tx, page), await countSuppressions(tx)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentSuppression);
}

export async function getSuppressionBy(
  tenant: TenantData,
  dataKeys: DataKeys,
  text: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<SuppressionRecord> {
  const id = (await idOf(tenant, dataKeys, text)) ?? fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findSuppressionRow(tx, id));
  return row ? presentSuppression(row) : fail('NOT_FOUND');
}

export async function removeSuppression(
  tenant: TenantData,
  dataKeys: DataKeys,
  caller: Caller,
  text: string,
  fail: Fail<'NOT_FOUND'>,
) {
  const id = (await idOf(tenant, dataKeys, text)) ?? fail('NOT_FOUND');
  return tenant.transaction(async (tx) => {
    const gone = (await deleteSuppression(tx, id)) ?? fail('NOT_FOUND');
    await record(tx, caller, {
      action: 'messaging.suppression_removed',
      target: { kind: 'tenant', id: tx.tenantId },
      details: { to: gone.masked_destination, reason: gone.reason },
    });
    return { id, deleted: true as const };
  });
}

const ID = /^[\w-]{43}$/;

/** @param text an id, or an e-mail address */
async function idOf(
  tenant: TenantData,
  dataKeys: DataKeys,
  text: string,
): Promise<string | undefined> {
  if (ID.test(text)) return text;
  const address = parseIdentifier(text);
  if (address?.type !== 'email') return undefined;
  return dataKeys.use(tenant.tenantId, (key) => suppressionId(key, address.identifier));
}

type Reason = NewSuppression['reason'];

/** Suppresses an address, as `parseIdentifier` returns it. */
export type Suppress = (tenantId: TenantId, address: string, reason: Reason) => Promise<void>;

export function createSuppress(gate: Gate, dataKeys: DataKeys): Suppress {
  return async (tenantId, address, reason) => {
    const suppression = await dataKeys.use(tenantId, (key) =>
      sealSuppression(key, tenantId, address, reason),
    );
    await gate.into(tenantId).transaction((tx) => suppressWithin(tx, suppression));
  };
}

export function sealSuppression(
  dataKey: Buffer,
  tenantId: TenantId,
  address: string,
  reason: Reason,
): NewSuppression {
  const id = suppressionId(dataKey, address);
  const sealed = seal(dataKey, Buffer.from(address), suppressionPlace(tenantId, id));
  return { id, address, sealed, reason };
}

/** Recorded once, however often it is reported. @returns whether that changed anything */
export async function suppressWithin(
  tx: TenantTx,
  one: NewSuppression,
  by?: Actor,
): Promise<boolean> {
  const isNew = await insertSuppression(tx, one);
  if (isNew) await recordSuppression(tx, one, by);
  return isNew;
}

const WHO = { kind: 'system', name: 'messages' } as const;

/** @param by default: the service, of which the mail server rejected the message */
function recordSuppression(
  tx: TenantTx,
  { address, reason }: NewSuppression,
  by: Actor = WHO,
): Promise<void> {
  return record(tx, by, {
    action: 'messaging.suppressed',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { to: maskAddress(address), reason },
  });
}

/** The id of the suppression of an address: of no use without the key of the tenant. */
function suppressionId(dataKey: Buffer, address: string): string {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright suppressions', 32));
  return createHmac('sha256', key).update(address).digest('base64url');
}

/** The place that the address of a suppression is sealed for. */
function suppressionPlace(tenantId: TenantId, id: string): string {
  return `suppressions/${tenantId}/${id}/destination`;
}

/** A complaint is about notices: a code was asked for. */
export function isSuppressed(reason: string | undefined, kind: MessageKind): boolean {
  // Reports, and a mail server of an attacker, must not keep administrators from being warned.
  if (kind === 'notice.logins_changed') return false;
  return reason === 'bounce' || (reason === 'complaint' && kind.startsWith('notice.'));
}

const REASON_CHARACTERS = 200;

function presentMessage(row: LoggedMessage): MessageRecord {
  const isPending = row.status === 'pending';
  const dueAt = row.due_at.toISOString();
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    user_id: row.user_id,
    kind: row.kind as MessageRecord['kind'],
    channel: row.channel as MessageRecord['channel'],
    to: row.masked_destination,
    status: stateOf(row),
    attempts: row.attempts,
    smtp_code: codeIn(row.reason),
    reason: row.reason?.slice(0, REASON_CHARACTERS) ?? null,
    next_attempt_at: isPending ? dueAt : null,
    ended_at: isPending ? null : dueAt,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}

function stateOf({ status, reason }: LoggedMessage): MessageState {
  if (status === 'done') return reason === null ? 'sent' : 'not_sent';
  return status as MessageState;
}

/** `smtp_550: …`, or `login_refused: … (535)`. */
function codeIn(reason: string | null): number | null {
  const [, code] = /^smtp_(\d{3}):/.exec(reason ?? '') ?? /\((\d{3})\)$/.exec(reason ?? '') ?? [];
  return code === undefined ? null : Number(code);
}

function presentSuppression(row: SuppressionRow): SuppressionRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    to: row.masked_destination,
    reason: row.reason as SuppressionRecord['reason'],
    created_at: row.created_at.toISOString(),
  };
}
