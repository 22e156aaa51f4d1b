import {
  type MessageId,
  parseInvitationId,
  type TenantId,
  type UserId,
} from '@keywright/contract/ids';
import type { MessageKind } from '@keywright/contract/messages';
import type {
  TenantBranding,
  TenantConfig,
  TenantMessaging,
} from '@keywright/contract/records/tenant';
import { LOGINS } from '@keywright/contract/scopes';
import { sql } from 'kysely';
import { claimMessages as claim } from '../../../../sql/events/kw_claim_messages.ts';
import { finishMessages as finish } from '../../../../sql/events/kw_finish_messages.ts';
import { readMessageSender } from '../../../../sql/events/kw_read_message_sender.ts';
import { type Reason, reasonText } from '../../../platform/coded-reason.ts';
import { isDeliverable } from '../../../tenancy/tenant.ts';
import { deleteFrom, from, type Gate, type TenantTx } from '../../../tenancy/gate.ts';
import type { JobClaim } from '../../../tenancy/jobs/definition.ts';
import type { JobChange } from '../../../tenancy/jobs/store.ts';
import { findWrappedDataKeyIn, type WrappedKey } from '../../../tenancy/lookup-store.ts';
import type { TenantSentence, TenantText } from './message-texts.ts';
import { maskAddress, type MessageRow, type MessageText, type NewMessage } from './message.ts';

/** Reads the key on the connection of the transaction, which may be the only one. */
export function findKeyToSeal(tx: TenantTx): Promise<WrappedKey | undefined> {
  return findWrappedDataKeyIn(tx.db, tx.tenantId);
}

/** Also the reason if many tenants write to one mailbox, so that no tenant learns of the others. */
export const NOT_SENT: Reason = {
  code: 'not_sent',
  detail: 'The recipient is not an active, verified user.',
};

const UNDELIVERABLE: Reason = {
  code: 'not_sent',
  detail: 'No messages are sent to .localhost domains.',
};

/** @returns undefined if the message is sent */
export function reasonNotSent(message: NewMessage): Reason | undefined {
  if (message.isDecoy) return NOT_SENT;
  return message.withheld ?? (isDeliverable(message.destination) ? undefined : UNDELIVERABLE);
}

/** Inserts a message that this node is going to send, or one that is never sent. */
export async function insertMessage(
  tx: TenantTx,
  id: MessageId,
  message: NewMessage,
  sealed: { readonly destination: Buffer; readonly through: Buffer | null },
  leasedUntil: Date,
): Promise<MessageRow> {
  const reason = reasonNotSent(message);
  const isSent = reason === undefined;
  const row = await tx.db
    .insertInto('messages')
    .values({
      tenant_id: tx.tenantId,
      id,
      kind: message.kind,
      channel: message.channel,
      locale: message.locale ?? null,
      user_locale: localeOf(tx, message.userId),
      ...sealed,
      masked_destination: maskAddress(message.destination),
      user_id: message.userId,
      challenge_id: message.challengeId,
      vars: JSON.stringify(message.vars),
      to_page: message.isToPage ?? false,
      // Messages of a tenant share the connections to its email server, or to its provider.
      queue_key: sealed.through ? 'former_email' : message.channel,
      status: isSent ? 'pending' : 'done',
      takes: 1,
      due_at: tx.now,
      held_until: isSent ? leasedUntil : null,
      expires_at: message.expiresAt,
      reason: reason ? reasonText(reason) : null,
      created_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return row;
}

/** The locale set by the user, or else by an administrator (OpenID Connect Core §5.1 `locale`), if it is a language. */
function localeOf(tx: TenantTx, userId: UserId | null) {
  if (userId === null) return null;
  const localeIn = (field: 'user_metadata' | 'metadata') =>
    sql<string | null>`substring(${sql.ref(field)} ->> 'locale' FROM ${LANGUAGE})`;
  return from(tx, 'users')
    .select(
      sql<string | null>`coalesce(${localeIn('user_metadata')}, ${localeIn('metadata')})`.as(
        'locale',
      ),
    )
    .where('id', '=', userId);
}

/** A language with its script or region, in the notation of browsers or of operating systems. */
const LANGUAGE = '^[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8}){0,3}$';

/** The settings for rendering and sending the messages of a tenant. */
export interface Sender {
  readonly name: string;
  readonly issuer: string | null;
  readonly config: Partial<TenantConfig>;
  readonly branding: TenantBranding;
  readonly messaging: TenantMessaging;
  /** Sentences that replace those of the catalog in emails. */
  readonly texts: readonly TenantSentence[];
  /** The stored logos, by their digests in hexadecimal. */
  readonly logos: readonly { readonly kind: string; readonly digest: string }[];
}

/** The data for sending a message, read in one round trip. */
export interface SenderOfMessage {
  readonly sender: Sender;
  /** The tenant's own texts of that kind. */
  readonly templates: readonly TenantText[];
  readonly dataKey: WrappedKey;
}

/** The tenant and the kind of a message. */
export interface SenderRef {
  readonly tenantId: TenantId;
  readonly kind: MessageKind;
}

/** Messages of one kind and tenant share a row. @returns undefined for a tenant that was deleted */
export async function readSenders(
  gate: Gate,
  refs: readonly SenderRef[],
): Promise<(SenderOfMessage | undefined)[]> {
  const nameOf = ({ tenantId, kind }: SenderRef) => `${tenantId} ${kind}`;
  const distinct = [...new Map(refs.map((ref) => [nameOf(ref), ref])).values()];
  const items = distinct.map(({ tenantId: tenant, kind }) => ({ tenant, kind }));
  const rows = await gate.callEach(readMessageSender, items);
  const found = new Map(
    distinct.flatMap((ref, index) => {
      const row = rows[index]?.[0];
      if (!row) return [];
      const { place: _, wrapped_key, master_key_id, templates, ...sender } = row;
      const dataKey = { wrapped_key, master_key_id };
      return [[nameOf(ref), { sender, templates, dataKey }] as const];
    }),
  );
  return refs.map((ref) => found.get(nameOf(ref)));
}

const LOGOS = sql<Sender['logos']>`kw_stored_logos(tenant_id)`;
const TEXTS = sql<Sender['texts']>`kw_texts_of_mail(tenant_id)`;

export async function findSenderIn(tx: TenantTx): Promise<Sender | undefined> {
  const row = await from(tx, 'tenants')
    .select([
      'name',
      'issuer',
      'config',
      'branding',
      'messaging',
      TEXTS.as('texts'),
      LOGOS.as('logos'),
    ])
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row;
}

/** Claims the due messages for these channels of tenants, up to the limit of each channel. */
export async function claimMessages(
  gate: Gate,
  claims: readonly JobClaim[],
  now: Date,
  leaseSeconds: number,
): Promise<readonly MessageRow[]> {
  const rows = await gate.callMany(claim, {
    tenants: claims.map((item) => item.tenantId),
    queueKeys: claims.map((item) => item.key),
    limits: claims.map((item) => item.limit),
    now,
    until: new Date(now.getTime() + leaseSeconds * 1000),
  });
  return rows;
}

/** Stores results, except for messages that another node has claimed meanwhile. */
export async function finishMessages(gate: Gate, changes: readonly JobChange[]): Promise<void> {
  // Sorted, so that two statements never deadlock on each other's rows.
  const sorted = changes.toSorted((change, other) => (placeOf(change) < placeOf(other) ? -1 : 1));
  const byTenant = Map.groupBy<TenantId, JobChange>(sorted, (change) => change.tenant_id);
  await gate.callMany(finish, {
    tenants: [...byTenant.keys()],
    finished: [...byTenant.values()].map((mine) => JSON.stringify(mine)),
  });
}

function placeOf({ tenant_id: tenantId, id }: JobChange): string {
  return `${tenantId} ${id}`;
}

function templatesOf(tx: TenantTx, kind: MessageKind) {
  return from(tx, 'message_templates').where('kind', '=', kind);
}

export function findTemplates(tx: TenantTx, kind: MessageKind): Promise<TenantText[]> {
  return templatesOf(tx, kind).select(['locale', 'subject', 'text']).execute();
}

export async function findDomains(tx: TenantTx): Promise<string[]> {
  const rows = await from(tx, 'tenant_domains').select('domain').execute();
  return rows.map((row) => row.domain);
}

export async function putTemplate(
  tx: TenantTx,
  kind: MessageKind,
  locale: string,
  { subject, text }: MessageText,
): Promise<void> {
  await tx.db
    .insertInto('message_templates')
    .values({ tenant_id: tx.tenantId, kind, locale, subject, text, updated_at: tx.now })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'kind', 'locale']).doUpdateSet((eb) => ({
        subject,
        text,
        updated_at: tx.now,
        version: eb('message_templates.version', '+', 1),
      })),
    )
    .execute();
}

export async function deleteTemplate(
  tx: TenantTx,
  kind: MessageKind,
  locale: string,
): Promise<boolean> {
  const { numDeletedRows } = await deleteFrom(tx, 'message_templates')
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const MOST_ADMINISTRATORS = 100;

/** Every scope that includes the permission to decide about logins. */
const COVERING = [LOGINS, 'write:*', '*:logins', '*:*'];

/**
 * The verified addresses of active administrators, the oldest accounts first, so that an attacker cannot displace them
 * by creating new accounts.
 */
export async function findAdministrators({
  db,
  tenantId,
}: TenantTx): Promise<{ readonly id: UserId; readonly address: string }[]> {
  const { rows } = await sql<{ id: UserId; address: string }>`
    WITH administrators AS (
      SELECT u.id
        FROM users u
       WHERE u.tenant_id = ${tenantId} AND u.is_active
         AND u.id IN (SELECT h.user_id
                        FROM roles r JOIN user_roles h ON h.tenant_id = r.tenant_id AND h.role = r.name
                       WHERE r.tenant_id = ${tenantId} AND r.scopes && ${COVERING}::text[])
         AND EXISTS (SELECT FROM user_identifiers i
                      WHERE i.tenant_id = ${tenantId} AND i.user_id = u.id AND i.type = 'email' AND i.verified)
       ORDER BY u.id
       LIMIT ${MOST_ADMINISTRATORS}
    )
    SELECT a.id, i.identifier AS address
      FROM administrators a
      JOIN user_identifiers i ON i.tenant_id = ${tenantId} AND i.user_id = a.id
     WHERE i.type = 'email' AND i.verified
     ORDER BY a.id, i.position`.execute(db);
  return rows;
}

/** Whether the invitation in a message can still be accepted. */
export async function isInvitationPending(
  gate: Gate,
  { tenant_id: tenantId, challenge_id: id }: Pick<MessageRow, 'tenant_id' | 'challenge_id'>,
  now: Date,
): Promise<boolean> {
  const invitationId = id === null ? undefined : parseInvitationId(id);
  if (!invitationId) return false;
  const row = await gate
    .into(tenantId)
    .transaction((tx) =>
      from(tx, 'invitations')
        .select('id')
        .where('id', '=', invitationId)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst(),
    );
  return row !== undefined;
}
