import type { MessageId, TenantId, UserId } from '@keywright/contract/ids';
import type { MessageChannel, MessageKind } from '@keywright/contract/messages';
import type { TenantMessaging } from '@keywright/contract/records/tenant';
import type { Reason } from '../../../platform/coded-reason.ts';
import { channelOf } from '../../../tenancy/tenant.ts';
import type { Job } from '../../../tenancy/jobs/store.ts';

/** The kind of requester of a message to a recipient who is not a verified user of the tenant. */
export type UnverifiedShare = 'strangers' | 'named';

/** A message to be sent. Its code and its link are derived from the challenge when it is sent. */
export interface NewMessage {
  readonly kind: MessageKind;
  readonly channel: MessageChannel;
  /** An email address or a phone number, as `parseIdentifier` returns it. */
  readonly destination: string;
  /** The country of a phone number, because used codes are counted by country. */
  readonly country?: string | undefined;
  readonly userId: UserId | null;
  /** The ID of a challenge, of an invitation, or of the change that the message undoes. */
  readonly challengeId: string | null;
  /** The language of the request. A language that the user has chosen takes precedence. */
  readonly locale: string | undefined;
  /** Values of the variables, without secrets. */
  readonly vars: Readonly<Record<string, string>>;
  /** The message is not sent after this time. */
  readonly expiresAt: Date;
  /** Stored like any other message but never sent, because no user has this address. */
  readonly isDecoy?: boolean;
  /** Why the message is not sent, for the log of the tenant. */
  readonly withheld?: Reason | undefined;
  /** Undefined: the recipient is a verified user, who receives all messages. */
  readonly unverifiedShare?: UnverifiedShare | undefined;
  /** Its link leads to a page of the service; by default to `magic_link_url`, if there is one. */
  readonly isToPage?: boolean;
  /** Email settings for sending the message, instead of the tenant's settings at that time. */
  readonly through?: EmailSettings | undefined;
}

/** Email settings as the tenant stores them: the password is sealed. */
export type EmailSettings = NonNullable<TenantMessaging['email']>;

/** A change of how the users of a tenant log in, or where secrets are sent. */
export interface LoginsChange {
  readonly what:
    | 'provider_added'
    | 'provider_changed'
    | 'provider_deleted'
    | 'provider_domain_added'
    | 'provider_domain_verified'
    | 'provider_domain_removed'
    | 'domains'
    | 'mail_server'
    | 'mail_server_removed'
    | 'sms_provider'
    | 'sms_provider_removed';
  /** The name of the changed item, without secrets. */
  readonly changed: string;
  /** Email settings before a change of them, because the new server may belong to an attacker. */
  readonly formerEmail?: EmailSettings;
}

/** A queued message that this node must send. */
export interface MessageRow extends Job {
  readonly id: MessageId;
  readonly kind: MessageKind;
  readonly channel: MessageChannel;
  readonly locale: string | null;
  /** The `locale` in the metadata of its user. */
  readonly user_locale: string | null;
  readonly destination: Buffer;
  readonly masked_destination: string;
  readonly challenge_id: string | null;
  readonly vars: Readonly<Record<string, string>>;
  readonly to_page: boolean;
  /** Sealed email settings; null for those of the tenant. Erased when the message has been sent. */
  readonly through: Buffer | null;
  readonly created_at: Date;
  /** Set only for a message that this node has just queued, so that a retry is not counted again. */
  readonly unverifiedShare?: UnverifiedShare | undefined;
}

/** The associated data for sealing the address of a message. */
export function destinationPlace(tenantId: TenantId, id: MessageId): string {
  return `messages/${tenantId}/${id}/destination`;
}

/** The associated data for sealing the email settings of a message. */
export function throughPlace(tenantId: TenantId, id: MessageId): string {
  return `messages/${tenantId}/${id}/through`;
}

/** An address or a phone number as logs show it: `m…@e….org`, `+4…12`. */
export function maskAddress(address: string): string {
  if (channelOf(address) === 'sms') return `${address.slice(0, 2)}…${address.slice(-2)}`;
  const [local = '', domain = ''] = address.split('@');
  const top = domain.lastIndexOf('.');
  const shown = top > 0 ? `${firstOf(domain)}…${domain.slice(top)}` : `${firstOf(domain)}…`;
  return `${firstOf(local)}…@${shown}`;
}

function firstOf(text: string): string {
  return /^./u.exec(text)?.[0] ?? '';
}

/** The values of a message's variables. */
export type Values = Readonly<Record<string, string | undefined>>;

/** A subject and paragraphs, with variables. */
export interface MessageText {
  readonly subject: string;
  /** Paragraphs are separated by an empty line. A paragraph with a variable that has no value is omitted. */
  readonly text: string;
}
